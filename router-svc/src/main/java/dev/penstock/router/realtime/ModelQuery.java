package dev.penstock.router.realtime;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The model that a query names. The rest of the query is not touched, byte for byte.
 *
 * @param model decoded
 * @param from where its value begins in the URI
 */
record ModelQuery(String uri, String model, int from, int to) {
    private static final int LONGEST = 1 << 10;
    private static final String NAME = "model";

    /** Null where it is not there, there twice, empty, or can't be decoded. */
    static @Nullable ModelQuery of(String uri) {
        ModelQuery found = null;
        int at = uri.indexOf('?') + 1;
        while (at > 0 && at < uri.length()) {
            int ampersand = uri.indexOf('&', at);
            int to = ampersand < 0 ? uri.length() : ampersand;
            int equals = uri.indexOf('=', at);
            int from = equals < 0 || equals > to ? to : equals + 1;
            String name = decoded(uri.substring(at, equals < 0 || equals > to ? to : equals));
            if (NAME.equals(name)) {
                String model = decoded(uri.substring(from, to));
                if (found != null || model == null || model.isBlank() || model.length() > LONGEST) return null;
                found = new ModelQuery(uri, model, from, to);
            }
            at = to + 1;
        }
        return found;
    }

    /** What an engine is asked for. */
    String uriFor(String engineModel) {
        if (engineModel.equals(model)) return uri;
        String encoded = URLEncoder.encode(engineModel, StandardCharsets.UTF_8);
        return uri.substring(0, from) + encoded + uri.substring(to);
    }

    private static @Nullable String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
