package dev.penstock.enginesim.metrics;

import java.util.stream.DoubleStream;

/** Histogram bounds of both engines and of vLLM's HTTP instrumentation, in seconds or tokens. */
final class Bounds {
    private Bounds() {}

    static double[] timeToFirstToken() {
        return new double[] {
            .001, .005, .01, .02, .04, .06, .08, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160, 640, 2560
        };
    }

    static double[] interToken() {
        return new double[] {.01, .025, .05, .075, .1, .15, .2, .3, .4, .5, .75, 1, 2.5, 5, 7.5, 10, 20, 40, 80};
    }

    static double[] requestTime() {
        return new double[] {.3, .5, .8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680};
    }

    static double[] iterationTokens() {
        return new double[] {1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
    }

    static double[] choices() {
        return new double[] {1, 2, 5, 10, 20};
    }

    /** 1, 2, 5, 10, ... up to the context length. */
    static double[] requestTokens(int maxModelLen) {
        return DoubleStream.iterate(1, decade -> decade * 10)
                .limit(10)
                .flatMap(decade -> DoubleStream.of(decade, 2 * decade, 5 * decade))
                .filter(bound -> bound <= maxModelLen)
                .toArray();
    }

    static double[] httpHighResolution() {
        return new double[] {.01, .025, .05, .075, .1, .25, .5, .75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30, 60
        };
    }

    static double[] httpLowResolution() {
        return new double[] {.1, .5, 1};
    }

    static double[] sglangFirstToken() {
        return new double[] {.1, .2, .4, .6, .8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400};
    }

    static double[] sglangInterToken() {
        return new double[] {
            .002, .004, .006, .008, .01, .015, .02, .025, .03, .035, .04, .06, .08, .1, .2, .4, .6, .8, 1, 2, 4, 6, 8
        };
    }

    static double[] sglangRequestTime() {
        return new double[] {.1, .2, .4, .6, .8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 1200, 1800, 2400
        };
    }
}
