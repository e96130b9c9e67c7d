package dev.penstock.router.upload;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A header's value and its parameters, as engines read them: in quotes a backslash escapes a quote or a backslash, and is itself
 * before anything else.
 *
 * @param word what comes before the parameters, in lower case
 * @param nameToValue the parameters; names in lower case
 */
record HeaderValue(String word, Map<String, String> nameToValue) {
    /** Null where it can be read in more than one way: a name twice, a quote without an end. */
    static @Nullable HeaderValue parse(String text) {
        int semicolon = text.indexOf(';');
        String word = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        Map<String, String> parameters = new HashMap<>();
        int at = semicolon < 0 ? text.length() : semicolon;
        while (at < text.length()) {
            at = skipBlanks(text, at + 1);
            if (at >= text.length() || text.charAt(at) == ';') continue;
            int equals = text.indexOf('=', at);
            if (equals < 0) return null;
            String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
            at = skipBlanks(text, equals + 1);
            StringBuilder value = new StringBuilder();
            boolean quoted = at < text.length() && text.charAt(at) == '"';
            at = quoted ? quoted(text, at + 1, value) : token(text, at, value);
            if (at < 0 || name.isEmpty() || parameters.putIfAbsent(name, value.toString()) != null) return null;
        }
        return new HeaderValue(word.toLowerCase(Locale.ROOT), parameters);
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) at++;
        return at;
    }

    /** Where the next semicolon is, or the end; -1 where the quotes do not end, or something but a semicolon follows them. */
    private static int quoted(String text, int from, StringBuilder into) {
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                int next = skipBlanks(text, at + 1);
                return next == text.length() || text.charAt(next) == ';' ? next : -1;
            }
            boolean escapes = c == '\\' && at + 1 < text.length() && "\"\\".indexOf(text.charAt(at + 1)) >= 0;
            into.append(escapes ? text.charAt(++at) : c);
        }
        return -1;
    }

    private static int token(String text, int from, StringBuilder into) {
        int semicolon = text.indexOf(';', from);
        int to = semicolon < 0 ? text.length() : semicolon;
        String token = text.substring(from, to).strip();
        if (token.indexOf('"') >= 0) return -1;
        into.append(token);
        return to;
    }
}
