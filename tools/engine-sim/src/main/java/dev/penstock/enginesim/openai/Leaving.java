package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;

/** What becomes of the work for a client that has gone: dropped, at once or as late as the engine notices. */
final class Leaving {
    private Leaving() {}

    static void of(EngineParts engine, Dialect dialect, boolean stream, Runnable drop) {
        if (engine.fault().get() instanceof Fault.Zombies) {
            return;
        }
        long millis = dialect.abandonMillis(stream);
        if (millis == 0) {
            drop.run();
        } else {
            engine.vertx().setTimer(millis, _ -> drop.run());
        }
    }
}
