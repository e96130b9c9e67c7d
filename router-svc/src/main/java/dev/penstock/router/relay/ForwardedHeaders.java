package dev.penstock.router.relay;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which headers pass from one connection to the other: all but those that belong to a connection (RFC 9110 section 7.6.1, and
 * whatever {@code Connection} lists), and those a client might steer us with. Names are compared by length first, so that most
 * headers cost one comparison of numbers.
 */
public final class ForwardedHeaders {
    /** Enough for every header that is stopped. */
    private static final int LONGEST = 31;

    private static final AsciiString[][] HOP_BY_HOP = byLength(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings");

    /** A client's word on where to go is not taken; keys are not an engine's business. */
    private static final AsciiString[][] NOT_TO_ENGINES = byLength(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "expect",
            "host",
            "content-length",
            "authorization",
            "x-api-key",
            "api-key",
            "cookie",
            "x-request-id",
            "target-pod",
            "x-gateway-destination-endpoint",
            "x-prefiller-host-port",
            "x-prefiller-url",
            "x-target-backend",
            "routing-strategy",
            "forwarded",
            "x-forwarded-host",
            "x-vllm-priority",
            "x-data-parallel-rank");

    private static final AsciiString OWN_PREFIX = AsciiString.cached("x-penstock-");
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
    private static final AsciiString CONNECTION = AsciiString.cached("connection");

    private ForwardedHeaders() {}

    public static void toEngine(MultiMap from, MultiMap to) {
        String listed = listedIn(from.get(CONNECTION));
        if (from instanceof HttpHeaders headers) {
            Iterator<Map.Entry<CharSequence, CharSequence>> each = headers.iteratorCharSequence();
            while (each.hasNext()) {
                Map.Entry<CharSequence, CharSequence> header = each.next();
                if (passesToEngine(header.getKey(), listed)) to.add(header.getKey(), header.getValue());
            }
            return;
        }
        for (Map.Entry<String, String> header : from) {
            // HTTP/2's pseudo headers are not headers
            if (header.getKey().startsWith(":")) continue;
            if (passesToEngine(header.getKey(), listed)) to.add(header.getKey(), header.getValue());
        }
    }

    public static void toClient(MultiMap from, MultiMap to) {
        String listed = listedIn(from.get(CONNECTION));
        if (from instanceof HttpHeaders headers) {
            Iterator<Map.Entry<CharSequence, CharSequence>> each = headers.iteratorCharSequence();
            while (each.hasNext()) {
                Map.Entry<CharSequence, CharSequence> header = each.next();
                if (passesToClient(header.getKey(), listed)) to.add(header.getKey(), header.getValue());
            }
            return;
        }
        for (Map.Entry<String, String> header : from) {
            if (passesToClient(header.getKey(), listed)) to.add(header.getKey(), header.getValue());
        }
    }

    private static boolean passesToEngine(CharSequence name, @Nullable String listed) {
        return !in(NOT_TO_ENGINES, name) && !own(name) && !listed(listed, name);
    }

    private static boolean passesToClient(CharSequence name, @Nullable String listed) {
        return !in(HOP_BY_HOP, name)
                && !own(name)
                && !AsciiString.contentEqualsIgnoreCase(REQUEST_ID, name)
                && !listed(listed, name);
    }

    private static boolean own(CharSequence name) {
        return name.length() > OWN_PREFIX.length()
                && AsciiString.regionMatchesAscii(name, true, 0, OWN_PREFIX, 0, OWN_PREFIX.length());
    }

    private static boolean in(AsciiString[][] lengthToNames, CharSequence name) {
        if (name.length() > LONGEST) return false;
        for (AsciiString each : lengthToNames[name.length()]) {
            if (AsciiString.contentEqualsIgnoreCase(each, name)) return true;
        }
        return false;
    }

    /** What a {@code Connection} header lists beyond its common words, or null. */
    private static @Nullable String listedIn(@Nullable String connection) {
        if (connection == null || connection.equalsIgnoreCase("keep-alive") || connection.equalsIgnoreCase("close")) {
            return null;
        }
        return connection;
    }

    private static boolean listed(@Nullable String connection, CharSequence name) {
        if (connection == null) return false;
        for (String listed : connection.split(",", -1)) {
            if (AsciiString.contentEqualsIgnoreCase(listed.strip(), name)) return true;
        }
        return false;
    }

    private static AsciiString[][] byLength(String... names) {
        AsciiString[][] lengthToNames = new AsciiString[LONGEST + 1][0];
        for (String name : names) {
            AsciiString[] before = lengthToNames[name.length()];
            AsciiString[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = AsciiString.cached(name);
            lengthToNames[name.length()] = after;
        }
        return lengthToNames;
    }
}
