package dev.penstock.router.trace;

import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.model.Outcome;
import java.util.Locale;

/** Values of attributes, in words. */
final class Words {
    private Words() {}

    static String of(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    /** A span's description of its error: {@code replica_error, status 502}. */
    static String failure(String type, int status) {
        if (status <= 0) return type;
        String code = String.valueOf(status);
        return type.equals(code) ? "status " + code : type + ", status " + code;
    }

    /** A client's text, cut where it is longer than a model's name; not within a character. */
    static String bounded(String text) {
        int most = TraceKeys.MOST_MODEL_CHARS;
        if (text.length() <= most) return text;
        return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
    }
}
