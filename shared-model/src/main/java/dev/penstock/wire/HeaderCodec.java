package dev.penstock.wire;

import dev.penstock.model.Header;

final class HeaderCodec {
    static final String NO_PRODUCER = "header without a producer";

    private HeaderCodec() {}

    static dev.penstock.wire.proto.Header toProto(Header header) {
        var builder = dev.penstock.wire.proto.Header.newBuilder()
                .setProducer(header.producer())
                .setIncarnation(header.incarnation())
                .setSequence(header.sequence())
                .setSendNanos(header.sendNanos());
        if (header.epoch() != Header.NO_EPOCH) builder.setEpoch(header.epoch());
        return builder.build();
    }

    static Header fromProto(dev.penstock.wire.proto.Header header, String record) throws MalformedRecordException {
        if (header.getProducer().isEmpty()) throw new MalformedRecordException(record, NO_PRODUCER);
        return new Header(
                header.getProducer(),
                header.getIncarnation(),
                header.getSequence(),
                header.hasEpoch() ? header.getEpoch() : Header.NO_EPOCH,
                header.getSendNanos());
    }
}
