package dev.penstock.fleetsim;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Chats that share system prompts: of 16 services the most popular has 30 % of the chats, the second half as many and so
 * on by Zipf's law, and each has a system prompt of 1,024 to 6,144 tokens. A chat has 1 to 8 turns; each turn's prompt is all that was said
 * before and a question. Answers come into the cache with the next turn.
 */
final class SharedPrefixes {
    private static final int SERVICES = 16;
    private static final int LEAST_SYSTEM_BLOCKS = 2;
    private static final int MOST_SYSTEM_BLOCKS = 12;
    private static final int MOST_TURNS = 8;
    private static final double SERVICE_SKEW = 1.1;
    private static final int QUESTION_MEAN = 900;
    private static final int ANSWER_MEAN = 300;
    private static final int LEAST_TOKENS = 16;
    /** Between an answer and the next question, in mean gaps of the arrivals; see {@link #generated}. */
    private static final double THINK_GAPS = 600;

    private final SplittableRandom random;
    private final double[] popularity = new double[SERVICES];
    private final long[][] systems = new long[SERVICES][];
    private final double thinkGaps;
    private long nextId = 1;

    private SharedPrefixes(int users, long seed) {
        thinkGaps = THINK_GAPS * users;
        random = new SplittableRandom(seed);
        double sum = 0;
        for (int i = 0; i < SERVICES; i++) popularity[i] = sum += Math.pow(i + 1, -SERVICE_SKEW);
        for (int i = 0; i < SERVICES; i++) {
            popularity[i] /= sum;
            systems[i] = new long[random.nextInt(LEAST_SYSTEM_BLOCKS, MOST_SYSTEM_BLOCKS + 1)];
            for (int j = 0; j < systems[i].length; j++) systems[i][j] = nextId++;
        }
    }

    /** One turn that is due. */
    private record Turn(double at, int left, long[] before, int tokens) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return Double.compare(at, other.at);
        }
    }

    /**
     * One request a second or so, always the same for as many requests.
     *
     * @param users as many times: then as many more chats are open at a time
     */
    static Recording generated(int requests, int users, long seed) {
        return new SharedPrefixes(users, seed).record(requests);
    }

    private Recording record(int requests) {
        var recording = Recording.empty();
        var due = new PriorityQueue<Turn>();
        double meanTurns = (1 + MOST_TURNS) / 2.0;
        double nextChat = 0;
        for (int i = 0; i < requests; i++) {
            while (due.isEmpty() || nextChat <= due.peek().at) {
                long[] system = systems[service()];
                due.add(new Turn(
                        nextChat, random.nextInt(1, MOST_TURNS + 1), system, system.length * PromptBlocks.TOKENS));
                nextChat += random.nextExponential() * meanTurns;
            }
            take(due, recording);
        }
        return recording;
    }

    private void take(PriorityQueue<Turn> due, Recording into) {
        Turn turn = due.remove();
        int question = tokens(QUESTION_MEAN);
        int answer = tokens(ANSWER_MEAN);
        int prompt = turn.tokens + question;
        long[] blocks = extended(turn.before, prompt / PromptBlocks.TOKENS);
        into.add((long) (turn.at * 1e9), prompt, answer, PromptBlocks.of(blocks, blocks.length));
        if (turn.left == 1) return;
        double at = turn.at + thinkGaps * (0.5 + random.nextExponential() / 2);
        due.add(new Turn(at, turn.left - 1, blocks, prompt + answer));
    }

    private long[] extended(long[] before, int blocks) {
        long[] all = Arrays.copyOf(before, Math.max(before.length, blocks));
        for (int i = before.length; i < all.length; i++) all[i] = nextId++;
        return all;
    }

    private int service() {
        double draw = random.nextDouble();
        int service = 0;
        while (popularity[service] < draw) service++;
        return service;
    }

    private int tokens(int mean) {
        return LEAST_TOKENS + (int) (random.nextExponential() * (mean - LEAST_TOKENS));
    }
}
