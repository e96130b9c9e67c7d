package dev.penstock.fleetsim;

import dev.penstock.fleetsim.trace.TraceException;
import dev.penstock.fleetsim.trace.TraceReader;
import dev.penstock.fleetsim.trace.TraceRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/** A trace in memory: times, tokens, and the prompts' blocks. */
final class Recording {
    /** 80 MB. */
    private static final int MOST_ROWS = 5_000_000;

    /** The means of Mooncake's conversation trace, and about the spread of its logarithms. */
    private static final double PROMPT_MEAN = 12_035;

    private static final double PROMPT_SIGMA = 1.2;
    private static final int PROMPT_MOST = 126_195;
    private static final double OUTPUT_MEAN = 343;
    private static final double OUTPUT_SIGMA = 0.9;
    private static final int OUTPUT_MOST = 2_000;

    /** Bursts: of each 1,500 requests in a row, 500 come 1.75 times as fast as the others. */
    private static final int BURST_REQUESTS = 500;

    private static final double BURST_GAP = 2.0 / 3;
    private static final double CALM_GAP = 7.0 / 6;
    private static final long GENERATED_SEED = 20_231_116;

    private static final long BETWEEN_COPIES_NANOS = 60_000_000_000L;

    private long[] atNanos = new long[1024];
    private int[] promptTokens = new int[1024];
    private int[] outputTokens = new int[1024];
    private PromptBlocks[] blocks = new PromptBlocks[1024];
    private int size;

    private Recording() {}

    static Recording empty() {
        return new Recording();
    }

    static Recording read(Path file) throws IOException {
        var recording = new Recording();
        try (TraceReader reader = TraceReader.open(file)) {
            for (TraceRequest next = reader.next(); next != null; next = reader.next()) {
                if (recording.size == MOST_ROWS) {
                    throw new TraceException(
                            file.getFileName() + ": expected at most " + MOST_ROWS + " requests, got more");
                }
                recording.add(
                        next.atNanos(),
                        next.promptTokens(),
                        next.outputTokens(),
                        PromptBlocks.of(next.promptBlocks(), next.promptTokens()));
            }
        }
        if (recording.spanNanos() == 0) {
            throw new TraceException(
                    file.getFileName() + ": expected requests at two times at least, got " + recording.size);
        }
        return recording;
    }

    /** A trace such as Mooncake's, one request a second, always the same for as many requests. */
    static Recording generated(int requests) {
        var random = new SplittableRandom(GENERATED_SEED);
        var recording = new Recording();
        double now = 0;
        for (int i = 0; i < requests; i++) {
            double gap = i % (3 * BURST_REQUESTS) < 2 * BURST_REQUESTS ? CALM_GAP : BURST_GAP;
            recording.add(
                    (long) now,
                    lognormal(PROMPT_MEAN, PROMPT_SIGMA, PROMPT_MOST, random),
                    lognormal(OUTPUT_MEAN, OUTPUT_SIGMA, OUTPUT_MOST, random),
                    PromptBlocks.NONE);
            now += random.nextExponential() * gap * 1e9;
        }
        return recording;
    }

    /**
     * So many times as many users: copies, a minute apart, of chats that share nothing but the very first block.
     * Merely faster, a larger fleet would meet the next turn of a chat before the last one is answered.
     */
    Recording times(int copies) {
        var all = new Recording();
        int[] next = new int[copies];
        for (int i = 0; i < copies * size; i++) {
            int first = -1;
            for (int copy = 0; copy < copies; copy++) {
                if (next[copy] == size) continue;
                if (first < 0 || at(copy, next[copy]) < at(first, next[first])) first = copy;
            }
            int row = next[first]++;
            all.add(at(first, row), promptTokens[row], outputTokens[row], blocks[row].ofCopy(first, blocks[0]));
        }
        return all;
    }

    private long at(int copy, int row) {
        return atNanos[row] + copy * BETWEEN_COPIES_NANOS;
    }

    private static int lognormal(double mean, double sigma, int most, SplittableRandom random) {
        double mu = Math.log(mean) - sigma * sigma / 2;
        return (int) Math.clamp(Math.round(Math.exp(mu + sigma * random.nextGaussian())), 1, most);
    }

    void add(long at, int prompt, int output, PromptBlocks promptBlocks) {
        if (size == atNanos.length) {
            atNanos = Arrays.copyOf(atNanos, 2 * size);
            promptTokens = Arrays.copyOf(promptTokens, 2 * size);
            outputTokens = Arrays.copyOf(outputTokens, 2 * size);
            blocks = Arrays.copyOf(blocks, 2 * size);
        }
        atNanos[size] = at;
        promptTokens[size] = prompt;
        blocks[size] = promptBlocks;
        outputTokens[size++] = output;
    }

    int size() {
        return size;
    }

    long atNanos(int row) {
        return atNanos[row];
    }

    Demand demand(int row) {
        return Demand.ofTokens(promptTokens[row], outputTokens[row], blocks[row]);
    }

    long spanNanos() {
        return size == 0 ? 0 : atNanos[size - 1];
    }

    /** The speed at which so many engines are at that share of what they can do. */
    double speedFor(double load, int engines, BatchProfile profile) {
        double workMillis = 0;
        double steps = 0;
        double tokens = 0;
        for (int row = 0; row < size; row++) {
            workMillis += profile.workMillis(promptTokens[row], outputTokens[row]);
            steps += profile.promptSteps(promptTokens[row]) + outputTokens[row] - 1;
            tokens += promptTokens[row] + outputTokens[row];
        }
        double capacity = engines * profile.fullRate(tokens / size, workMillis / steps);
        return load * capacity * spanNanos() / (workMillis * 1e6);
    }
}
