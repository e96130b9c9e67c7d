package dev.penstock.enginesim.step;

import java.util.random.RandomGenerator;

/**
 * What images cost before the language model sees them: one CPU worker prepares requests one after another, then the
 * vision encoder runs as part of the step.
 *
 * @param preprocessMinMillis of the shortest preprocessing of an image of 256 tokens (512 x 512)
 * @param preprocessMaxMillis of the longest; uniform between them, and in proportion to the image
 * @param encoderMillisPerToken of an image; four patches make a token
 */
public record Vision(double preprocessMinMillis, double preprocessMaxMillis, double encoderMillisPerToken) {
    /** Images cost what their tokens cost. */
    public static final Vision FREE = new Vision(0, 0, 0);

    private static final double REFERENCE_TOKENS = 256;

    long preprocessNanos(int imageTokens, RandomGenerator random) {
        if (imageTokens == 0 || preprocessMaxMillis == 0) {
            return 0;
        }
        double reference = preprocessMinMillis + (preprocessMaxMillis - preprocessMinMillis) * random.nextDouble();
        return Math.round(reference * imageTokens / REFERENCE_TOKENS * 1e6);
    }
}
