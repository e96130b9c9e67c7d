package dev.penstock.enginesim.realtime;

import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.OpenAnswers;
import dev.penstock.enginesim.openai.Words;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one commit is answered: a delta a token, then all of it. Booked as a request while it is worked on. */
final class RealtimeAnswer implements OpenAnswers.OpenAnswer {
    private static final int OUTPUT_TOKENS = 8;
    /** 20 ms of 16-bit samples at 24 kHz. */
    private static final long BYTES_PER_TOKEN = 960;

    private static final int MAX_PROMPT_TOKENS = 1500;
    private static final short INTERNAL_ERROR = 1011;
    private static final short GOING_AWAY = 1001;

    private final RealtimeSession session;
    private final EngineParts engine;
    private final Words words;
    private long key;
    private int promptTokens;
    private long openedNanos;
    private @Nullable Sequence sequence;
    private boolean over;

    RealtimeAnswer(RealtimeSession session, EngineParts engine) {
        this.session = session;
        this.engine = engine;
        this.words = new Words(engine.textSeed());
    }

    void start(String sha256, long bytes) {
        key = words.key(sha256, 0);
        promptTokens = (int) Math.clamp(bytes / BYTES_PER_TOKEN, 1, MAX_PROMPT_TOKENS);
        openedNanos = engine.requests().opened();
        engine.open().add(this);
        if (engine.fault().get() instanceof Fault.StreamError error && error.afterTokens() == 0
                || engine.fault().get() instanceof Fault.Dead
                || engine.fault().get() instanceof Fault.ErrorStatus) {
            fault();
            return;
        }
        engine.loop().submit(Work.of(promptTokens, OUTPUT_TOKENS), this::tokenOut, taken -> sequence = taken);
    }

    /** Its client has gone. */
    void leave() {
        if (!over) {
            settle(Ending.CANCELLED);
            drop();
        }
    }

    @Override
    public String id() {
        return session.id();
    }

    @Override
    public boolean working() {
        return !over;
    }

    @Override
    public void drop() {
        for (Sequence each : sequences()) {
            engine.loop().abort(each);
        }
    }

    @Override
    public void abort() {
        if (!over) {
            drop();
            finish(generated());
            session.close(GOING_AWAY, "");
        }
    }

    @Override
    public void fail() {
        if (!over) {
            fault();
            session.close(INTERNAL_ERROR, "");
        }
    }

    private void tokenOut(Sequence grown) {
        if (over) {
            return;
        }
        int tokens = grown.generatedTokens();
        StringBuilder delta = new StringBuilder("{\"type\":\"transcription.delta\",\"delta\":");
        String message =
                JsonText.append(delta, words.token(key, tokens - 1)).append('}').toString();
        session.send(message);
        switch (engine.fault().get()) {
            case Fault.Truncate truncate
            when tokens >= truncate.afterTokens() -> {
                settle(Ending.CUT);
                drop();
                session.cut(truncate.cut());
                return;
            }
            case Fault.StreamError error
            when tokens >= error.afterTokens() -> {
                fault();
                return;
            }
            case Fault.Duplicate _ -> session.send(message);
            default -> {}
        }
        if (grown.finished()) {
            finish(tokens);
        }
    }

    private void fault() {
        drop();
        settle(Ending.REJECTED);
        session.error("The engine failed.", "processing_error");
    }

    private void finish(int tokens) {
        settle(Ending.COMPLETED);
        if (engine.fault().get() instanceof Fault.DropDone) {
            return;
        }
        StringBuilder out = new StringBuilder("{\"type\":\"transcription.done\",\"text\":");
        JsonText.append(out, words.text(key, tokens))
                .append(",\"usage\":{\"prompt_tokens\":")
                .append(promptTokens)
                .append(",\"total_tokens\":")
                .append(promptTokens + tokens)
                .append(",\"completion_tokens\":")
                .append(tokens)
                .append(",\"prompt_tokens_details\":null}}");
        session.send(out.toString());
    }

    private void settle(Ending ending) {
        over = true;
        engine.open().remove(this);
        engine.requests().ended(session.id(), ending, openedNanos, generated());
    }

    private int generated() {
        return sequences().stream().mapToInt(Sequence::generatedTokens).sum();
    }

    private List<Sequence> sequences() {
        Sequence at = sequence;
        return at == null ? List.of() : List.of(at);
    }
}
