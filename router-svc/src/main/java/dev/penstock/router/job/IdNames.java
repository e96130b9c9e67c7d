package dev.penstock.router.job;

import org.jspecify.annotations.Nullable;

/** Our ids for an engine's, as bytes. */
@FunctionalInterface
interface IdNames {
    /** Null to leave it as it is. */
    byte @Nullable [] of(IdScan.Field field, byte[] engineId, int length);
}
