package dev.penstock.wire;

import dev.penstock.model.Verdict;
import dev.penstock.wire.proto.Severity;

/** {@link Verdict} on the wire. A case this version does not know is {@link Verdict.Unknown}: routable. */
final class VerdictCodec {
    private VerdictCodec() {}

    static dev.penstock.wire.proto.Verdict toProto(Verdict verdict) {
        var builder = dev.penstock.wire.proto.Verdict.newBuilder();
        switch (verdict) {
            case Verdict.Unknown u -> builder.setUnknown(dev.penstock.wire.proto.Verdict.Unknown.getDefaultInstance());
            case Verdict.Healthy h -> builder.setHealthy(dev.penstock.wire.proto.Verdict.Healthy.getDefaultInstance());
            case Verdict.Suspect suspect ->
                builder.setSuspect(
                        dev.penstock.wire.proto.Verdict.Suspect.newBuilder().setCause(suspect.cause()));
            case Verdict.Ejected ejected ->
                builder.setEjected(dev.penstock.wire.proto.Verdict.Ejected.newBuilder()
                        .setSeverity(toProto(ejected.severity()))
                        .setCause(ejected.cause())
                        .setEjections(ejected.ejections())
                        .setRemainingMicros(ejected.remainingMicros()));
            case Verdict.HalfOpen half ->
                builder.setHalfOpen(dev.penstock.wire.proto.Verdict.HalfOpen.newBuilder()
                        .setCause(half.cause())
                        .setEjections(half.ejections())
                        .setPermittedRouter(half.permittedRouter())
                        .setSuccesses(half.successes()));
            case Verdict.Ramp ramp ->
                builder.setRamp(dev.penstock.wire.proto.Verdict.Ramp.newBuilder()
                        .setElapsedMicros(ramp.elapsedMicros())
                        .setLengthMicros(ramp.lengthMicros()));
        }
        return builder.build();
    }

    static Verdict fromProto(dev.penstock.wire.proto.Verdict proto) {
        return switch (proto.getVerdictCase()) {
            case UNKNOWN, VERDICT_NOT_SET -> Verdict.UNKNOWN;
            case HEALTHY -> Verdict.HEALTHY;
            case SUSPECT -> new Verdict.Suspect(proto.getSuspect().getCause());
            case EJECTED -> {
                var ejected = proto.getEjected();
                yield new Verdict.Ejected(
                        fromProto(ejected.getSeverity()),
                        ejected.getCause(),
                        ejected.getEjections(),
                        ejected.getRemainingMicros());
            }
            case HALF_OPEN -> {
                var half = proto.getHalfOpen();
                yield new Verdict.HalfOpen(
                        half.getCause(), half.getEjections(), half.getPermittedRouter(), half.getSuccesses());
            }
            case RAMP ->
                new Verdict.Ramp(
                        proto.getRamp().getElapsedMicros(), proto.getRamp().getLengthMicros());
        };
    }

    private static Severity toProto(Verdict.Severity severity) {
        return switch (severity) {
            case SOFT -> Severity.SEVERITY_SOFT;
            case HARD -> Severity.SEVERITY_HARD;
        };
    }

    /** An unknown severity is the milder one: protection must not become an outage. */
    private static Verdict.Severity fromProto(Severity severity) {
        return switch (severity) {
            case SEVERITY_HARD -> Verdict.Severity.HARD;
            case SEVERITY_SOFT, SEVERITY_UNKNOWN, UNRECOGNIZED -> Verdict.Severity.SOFT;
        };
    }
}
