package dev.penstock.router.session;

import dev.penstock.core.session.SessionKey;
import dev.penstock.model.SessionNames;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which session a request belongs to: a header comes before a field, an earlier name before a later one, and what is empty
 * counts as not there. Values are opaque and hashed at any length.
 */
public final class SessionRule {
    private SessionRule() {}

    /**
     * @param headers a request's, by name in lower case; null = not there
     * @param fields of its body, by name; null = not there, or not a string
     * @return {@link SessionKey#NONE} for a request without a session
     */
    public static long key(
            String model,
            SessionNames names,
            Function<String, @Nullable String> headers,
            Function<String, @Nullable String> fields) {
        long key = first(model, names.headers(), headers);
        return key == SessionKey.NONE ? first(model, names.fields(), fields) : key;
    }

    private static long first(String model, List<String> names, Function<String, @Nullable String> values) {
        for (int i = 0; i < names.size(); i++) {
            String value = values.apply(names.get(i));
            if (value != null && !value.isEmpty()) return SessionKey.of(model, value);
        }
        return SessionKey.NONE;
    }
}
