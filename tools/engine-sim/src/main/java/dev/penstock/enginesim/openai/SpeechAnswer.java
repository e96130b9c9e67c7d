package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Sequence;

/**
 * Speech: a chunk of bytes a token, no framing. There is no way to tell an error once it has begun, so that faults that
 * would tell one end the connection.
 */
final class SpeechAnswer implements OpenAnswers.OpenAnswer {
    /** About 40 ms of MP3 at 128 kbit/s, which is what codecs of speech models make of a token. */
    private static final int BYTES_PER_TOKEN = 640;

    private final Exchange exchange;
    private final GenerationRequest request;
    private final Dialect dialect;
    private final EngineParts engine;
    private final SequenceSet sequences;
    private final long key;
    private boolean over;

    SpeechAnswer(Exchange exchange, GenerationRequest request, Dialect dialect, EngineParts engine, Words words) {
        this.exchange = exchange;
        this.request = request;
        this.dialect = dialect;
        this.engine = engine;
        this.sequences = new SequenceSet(engine);
        this.key = words.key(request.promptOf(0).text(), 0);
    }

    void start() {
        exchange.works(request.model(), sequences.all());
        exchange.whenAbandoned(() -> Leaving.of(engine, dialect, true, this));
        exchange.whenSettled(() -> engine.open().remove(this));
        engine.open().add(this);
        engine.loop().submit(request.workOf(0), this::tokenOut, sequences::add);
    }

    @Override
    public String id() {
        return request.rid() != null ? request.rid() : exchange.id();
    }

    @Override
    public boolean working() {
        return sequences.working();
    }

    @Override
    public void drop() {
        sequences.drop();
    }

    @Override
    public void abort() {
        cut(Fault.Cut.FIN);
    }

    @Override
    public void fail() {
        if (exchange.streaming()) {
            cut(Fault.Cut.FIN);
        } else if (exchange.open()) {
            over = true;
            drop();
            exchange.reject(dialect.dead());
        }
    }

    private void tokenOut(Sequence sequence) {
        if (over || !exchange.open()) {
            return;
        }
        int position = sequence.generatedTokens();
        exchange.startStream(contentType());
        exchange.write(PseudoBytes.of(key + position, BYTES_PER_TOKEN));
        Fault fault = engine.fault().get();
        if (fault instanceof Fault.Truncate truncate && position >= truncate.afterTokens()) {
            cut(truncate.cut());
        } else if (fault instanceof Fault.StreamError error && position >= error.afterTokens()) {
            cut(Fault.Cut.FIN);
        } else if (sequence.finished()) {
            over = true;
            exchange.endStream();
        }
    }

    private void cut(Fault.Cut how) {
        if (!over && exchange.open()) {
            over = true;
            drop();
            exchange.cut(how);
        }
    }

    private String contentType() {
        return switch (request.body().path("response_format").asText("mp3")) {
            case "wav" -> "audio/wav";
            case "pcm" -> "audio/pcm";
            case "opus" -> "audio/ogg";
            case "flac" -> "audio/flac";
            case "aac" -> "audio/aac";
            default -> "audio/mpeg";
        };
    }
}
