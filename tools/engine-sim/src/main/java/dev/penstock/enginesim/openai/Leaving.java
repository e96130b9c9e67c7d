package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;

/** What becomes of the work for a client that has gone: dropped, at once or as late as the engine notices. */
public final class Leaving {
    private Leaving() {}

    public static void of(EngineParts engine, Dialect dialect, boolean stream, OpenAnswers.OpenAnswer answer) {
        long millis = dialect.abandonMillis(stream);
        if (engine.fault().get() instanceof Fault.Zombies) {
            engine.open().leave(answer);
        } else if (millis == 0) {
            answer.drop();
        } else {
            engine.open().leave(answer);
            engine.vertx().setTimer(millis, _ -> answer.drop());
        }
    }
}
