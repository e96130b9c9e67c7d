package dev.penstock.router.endings;

import dev.penstock.router.cases.Requests;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a client sends. */
enum Asking {
    STREAM,
    PLAIN,
    /** Of an API that does not say how its streams end. */
    SPEECH,
    /** More than all buffers on the way to an engine hold together. */
    LARGE,
    /** It stops before its end. */
    HALF,
    /** A form whose file stops before its end: it goes to an engine while it comes. */
    FORM_HALF,
    /** A stream, within 400 ms. */
    HURRIED,
    HURRIED_LARGE;

    private static final int LARGE_BYTES = 12 << 20;
    private static final int FORM_BYTES = 100_000;
    private static final String LONG_TEXT = "x".repeat(LARGE_BYTES);
    private static final String IN_400_MS = "x-request-timeout-ms: 400";

    byte[] request(String model) {
        return switch (this) {
            case STREAM -> Requests.chat(Requests.body(model));
            case PLAIN -> Requests.chat(Requests.plainBody(model));
            case SPEECH ->
                Requests.post(
                        "/v1/audio/speech",
                        ("{\"model\":\"" + model + "\",\"input\":\"hi\"}").getBytes(StandardCharsets.UTF_8));
            case LARGE -> Requests.chat(large(model));
            case HALF -> {
                byte[] whole = Requests.chat(Requests.body(model));
                yield Arrays.copyOf(whole, whole.length - 10);
            }
            case FORM_HALF -> formHalf(model);
            case HURRIED -> Requests.chat(Requests.body(model), IN_400_MS);
            case HURRIED_LARGE -> Requests.chat(large(model), IN_400_MS);
        };
    }

    private static byte[] formHalf(String model) {
        String form = "--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\n" + model
                + "\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n\r\n"
                + "x".repeat(FORM_BYTES);
        byte[] head = Requests.head(
                "POST /v1/audio/transcriptions",
                "Content-Type: multipart/form-data; boundary=b",
                "Content-Length: " + 2 * form.length());
        return Requests.joined(head, form.getBytes(StandardCharsets.UTF_8));
    }

    private static String large(String model) {
        return Requests.body(model).replace("\"hi\"", "\"" + LONG_TEXT + "\"");
    }
}
