package dev.penstock.wire;

import dev.penstock.model.Header;

final class HeaderCodec {
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
        if (header.getProducer().isEmpty()) throw new MalformedRecordException(record, "header without a producer");
        return new Header(
                header.getProducer(),
                header.getIncarnation(),
                header.getSequence(),
                header.hasEpoch() ? header.getEpoch() : Header.NO_EPOCH,
                header.getSendNanos());
    }
}
