package dev.penstock.router.endings;

import dev.penstock.router.cases.Requests;
import java.util.Arrays;

/** What a client sends. */
enum Asking {
    STREAM,
    PLAIN,
    /** More than all buffers on the way to an engine hold together. */
    LARGE,
    /** It stops before its end. */
    HALF,
    /** A stream, within 400 ms. */
    HURRIED,
    HURRIED_LARGE;

    private static final int LARGE_BYTES = 12 << 20;
    private static final String LONG_TEXT = "x".repeat(LARGE_BYTES);
    private static final String IN_400_MS = "x-request-timeout-ms: 400";

    byte[] request(String model) {
        return switch (this) {
            case STREAM -> Requests.chat(Requests.body(model));
            case PLAIN -> Requests.chat(Requests.plainBody(model));
            case LARGE -> Requests.chat(large(model));
            case HALF -> {
                byte[] whole = Requests.chat(Requests.body(model));
                yield Arrays.copyOf(whole, whole.length - 10);
            }
            case HURRIED -> Requests.chat(Requests.body(model), IN_400_MS);
            case HURRIED_LARGE -> Requests.chat(large(model), IN_400_MS);
        };
    }

    private static String large(String model) {
        return Requests.body(model).replace("\"hi\"", "\"" + LONG_TEXT + "\"");
    }
}
