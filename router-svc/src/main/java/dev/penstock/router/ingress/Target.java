package dev.penstock.router.ingress;

import org.jspecify.annotations.Nullable;

/**
 * What a request line asks for. Nothing is decoded and nothing is made shorter: what is matched is what is forwarded.
 *
 * @param uri path and query as the client sent them
 * @param path without its query
 */
record Target(String uri, String path) {
    /** Null for what is no path: a fragment, an authority, a star. */
    static @Nullable Target of(@Nullable String raw) {
        if (raw == null || !visible(raw)) return null;
        String uri = raw;
        if (!uri.startsWith("/")) {
            // Absolute form: the authority says where the client wants to go, which is here.
            int scheme = uri.startsWith("http://") ? 7 : uri.startsWith("https://") ? 8 : -1;
            if (scheme < 0) return null;
            int slash = uri.indexOf('/', scheme);
            if (slash < 0) return null;
            uri = uri.substring(slash);
        }
        if (uri.indexOf('#') >= 0) return null;
        int query = uri.indexOf('?');
        return new Target(uri, query < 0 ? uri : uri.substring(0, query));
    }

    /** HTTP/2 lets a path have what a request line can't. */
    private static boolean visible(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == 0x7F) return false;
        }
        return true;
    }
}
