package dev.penstock.router.stream;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The status that an error object in a body stands for: its {@code code} or {@code status_code}, else its {@code type}. */
final class ErrorCode {
    static final byte[] TYPE = bytes("type");
    static final byte[] ERROR_WORD = bytes("\"error\"");
    static final byte[] ABORT_WORD = bytes("\"abort\"");

    private static final byte[] CODE = bytes("code");
    private static final byte[] STATUS_CODE = bytes("status_code");
    private static final int UNKNOWN = 500;
    private static final int MOST_DIGITS = 18;

    private ErrorCode() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** @param at where the error's value begins: an object, or a string that only tells */
    static int of(byte[] a, int at, int to) {
        int byType = 0;
        for (int i = at; i < to; i++) {
            if (a[i] != '"' || i + 1 >= to) continue;
            if (a[i + 1] == 'c' || a[i + 1] == 's') {
                int value = KeyReader.valueOf(a, i, to, CODE);
                if (value < 0) value = KeyReader.valueOf(a, i, to, STATUS_CODE);
                if (value < 0) continue;
                long code = number(a, a[value] == '"' ? value + 1 : value, to, 0);
                if (code >= 400 && code < 600) return (int) code;
                if (a[value] == '"' && byType == 0) byType = ofWord(a, value, to);
            } else if (a[i + 1] == 't') {
                int value = KeyReader.valueOf(a, i, to, TYPE);
                if (value >= 0 && a[value] == '"') {
                    long code = number(a, value + 1, to, 0);
                    if (code >= 400 && code < 600) return (int) code;
                    if (byType == 0) byType = ofWord(a, value, to);
                }
            }
        }
        return byType == 0 ? UNKNOWN : byType;
    }

    /** The unsigned number there, or the other one. */
    static long number(byte[] a, int at, int to, long otherwise) {
        long number = 0;
        int i = at;
        while (i < to && i - at < MOST_DIGITS && a[i] >= '0' && a[i] <= '9') number = number * 10 + a[i++] - '0';
        return i == at ? otherwise : number;
    }

    /** Names that vLLM, SGLang, OpenAI and Anthropic give to kinds of errors. */
    private static int ofWord(byte[] a, int quote, int to) {
        int end = quote + 1;
        while (end < to && a[end] != '"' && end - quote < 64) end++;
        String word = new String(a, quote + 1, end - quote - 1, StandardCharsets.ISO_8859_1)
                .replace("_", "")
                .toLowerCase(Locale.ROOT);
        return switch (word) {
            case "serviceunavailable", "serviceunavailableerror", "overloadederror", "queuefull" -> 503;
            case "ratelimiterror", "ratelimitexceeded", "toomanyrequests" -> 429;
            case "badrequesterror", "invalidrequesterror", "validationerror", "badrequest", "contextlengthexceeded" ->
                400;
            case "notfounderror", "modelnotfound" -> 404;
            case "authenticationerror" -> 401;
            case "permissionerror" -> 403;
            case "unprocessableentityerror" -> 422;
            default -> 0;
        };
    }
}
