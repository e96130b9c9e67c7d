package dev.penstock.enginesim.step;

/**
 * How long one forward pass takes, in milliseconds:
 *
 * <pre>T = T0 + sqrt(w² + (b·n)²) + k·C + T_ar + Σ_prefill a·q·(c − q/2)</pre>
 *
 * with n = tokens in the step, C = context tokens of the decoding sequences, and for each prefill chunk q = its tokens
 * and c = the context at its end. The square root is the roofline of the linear layers: w is the time to read the
 * weights (memory bound, small n), b·n the arithmetic (compute bound, large n). w and b are fitted to Vidur's published
 * profiles; k and a are roofline estimates of attention.
 *
 * @param t0Millis scheduler and launch overhead of a step
 * @param wMillis reading the weights once
 * @param bMillisPerToken arithmetic of the linear layers per token
 * @param kMillisPerContextToken reading the KV cache of one context token
 * @param aMillis attention of prefill per query token and context token
 * @param allReduceMillis tensor-parallel all-reduce, fixed part
 * @param allReduceMillisPerToken tensor-parallel all-reduce, per token in the step
 */
public record StepCost(
        double t0Millis,
        double wMillis,
        double bMillisPerToken,
        double kMillisPerContextToken,
        double aMillis,
        double allReduceMillis,
        double allReduceMillisPerToken) {

    /**
     * The time of one step.
     *
     * @param tokens n, decode and prefill tokens together
     * @param decodeContextTokens C, summed over the decoding sequences
     * @param prefillAttention the sum of {@link #attention} over the prefill chunks
     */
    public double millis(int tokens, long decodeContextTokens, double prefillAttention) {
        return t0Millis
                + linearMillis(tokens)
                + kMillisPerContextToken * decodeContextTokens
                + allReduceMillis
                + allReduceMillisPerToken * tokens
                + aMillis * prefillAttention;
    }

    /** The linear layers alone, which is what the published profiles measure. */
    public double linearMillis(int tokens) {
        return Math.hypot(wMillis, bMillisPerToken * tokens);
    }

    /** q·(c − q/2): the query-key pairs of a causal prefill chunk of q tokens that ends at context c. */
    public static double attention(int chunkTokens, int contextEnd) {
        return chunkTokens * (contextEnd - chunkTokens / 2.0);
    }
}
