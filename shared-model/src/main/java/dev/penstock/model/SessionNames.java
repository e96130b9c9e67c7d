package dev.penstock.model;

import java.util.List;

/**
 * Where a request says which session it belongs to: the first of these headers that is there and not empty, else the first
 * of these fields of its body. What it finds there is opaque.
 *
 * @param headers names in lower case
 * @param fields names of fields at the top of the body whose value is a string
 */
public record SessionNames(List<String> headers, List<String> fields) {
    /** Each list at most: a request is searched for all of them. */
    public static final int MOST = 8;

    public static final SessionNames DEFAULT =
            new SessionNames(List.of("x-session-id"), List.of("user", "prompt_cache_key", "session_id"));

    /** No request has a session. */
    public static final SessionNames NONE = new SessionNames(List.of(), List.of());

    public SessionNames {
        headers = List.copyOf(headers);
        fields = List.copyOf(fields);
    }
}
