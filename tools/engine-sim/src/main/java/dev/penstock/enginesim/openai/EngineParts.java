package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.Gate;
import dev.penstock.enginesim.engine.Kept;
import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.metrics.HttpObserver;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Parts of an engine that its front end talks to.
 *
 * @param ids of requests that bring none
 * @param textSeed same seed, same prompt: same text, on every engine
 * @param promptDetails whether usage tells cached tokens
 * @param keepsTokens whether prompts keep their token ids, for KV events
 */
public record EngineParts(
        Vertx vertx,
        StepLoop loop,
        LoadedAdapters adapters,
        RequestBook requests,
        SentBodies bodies,
        Kept kept,
        HttpObserver http,
        Supplier<Fault> fault,
        OpenAnswers open,
        Gate gate,
        Lots lots,
        LongSupplier nanoClock,
        InstantSource wallClock,
        RandomGenerator ids,
        long textSeed,
        boolean promptDetails,
        boolean keepsTokens) {

    /** 32 hex digits. */
    public String newId() {
        return String.format("%016x%016x", ids.nextLong(), ids.nextLong());
    }

    public long seconds() {
        return wallClock.millis() / 1000;
    }
}
