package dev.penstock.fleetsim;

/**
 * What an engine of a batch needs for a step, and how much it holds. With b = milliseconds of work in the step that grow
 * with its tokens, a step takes h + b, so that work gets done at the rate X(b) = b / (b + h): Xmax is 1.
 *
 * @param stepMillis h: what a step takes whatever is in it
 * @param tokenMillis linear layers, per token
 * @param contextMillis attention of one decoded token, per token before it
 * @param attentionMillis attention of a prompt, per pair of its tokens
 * @param stepTokens tokens that fit in one step
 * @param kvTokens tokens that fit in the engine
 * @param overheadMillis before a request gets into the batch
 * @param overheadMillisPerThousand the same, per thousand prompt tokens
 */
record BatchProfile(
        double stepMillis,
        double tokenMillis,
        double contextMillis,
        double attentionMillis,
        int sequences,
        int stepTokens,
        int kvTokens,
        double overheadMillis,
        double overheadMillisPerThousand) {

    /**
     * An 8B model on an H100: the numbers of engine-sim's profile of that name. Its step is T0 + sqrt(w² + (b n)²) + k C +
     * attention; here h = T0 + w and the roofline's root is taken as the sum w + b n. Its overhead is 5 to 15 ms.
     */
    static final BatchProfile LLAMA_8B_H100 =
            new BatchProfile(2.0 + 6.0, 0.022, 5.2e-5, 1.5e-6, 1024, 8192, 28_125 * 16, 10, 1);

    /** Steps of a prompt that has the engine to itself. */
    double promptSteps(int promptTokens) {
        return Math.max(1, (double) promptTokens / stepTokens);
    }

    double promptMillis(int promptTokens) {
        return promptMillis(promptTokens, 0);
    }

    /** @param hitTokens of them that are in the cache: they are attended to, and nothing else */
    double promptMillis(int promptTokens, int hitTokens) {
        double pairs = ((double) promptTokens * promptTokens - (double) hitTokens * hitTokens) / 2.0;
        return tokenMillis * (promptTokens - hitTokens) + attentionMillis * pairs;
    }

    /** Of one step of one sequence, at its mean context. */
    double outputStepMillis(int promptTokens, int outputTokens) {
        return tokenMillis + contextMillis * (promptTokens + outputTokens / 2.0);
    }

    double workMillis(int promptTokens, int outputTokens) {
        return promptMillis(promptTokens) + (outputTokens - 1) * outputStepMillis(promptTokens, outputTokens);
    }

    double overheadNanos(int promptTokens) {
        return (overheadMillis + overheadMillisPerThousand * promptTokens / 1000) * 1e6;
    }

    /**
     * X(b) of a full engine.
     *
     * @param meanTokens of a request, prompt and output
     * @param meanStepMillis work of a sequence in a step
     */
    double fullRate(double meanTokens, double meanStepMillis) {
        double work = Math.min(sequences, kvTokens / meanTokens) * meanStepMillis;
        return work / (work + stepMillis);
    }
}
