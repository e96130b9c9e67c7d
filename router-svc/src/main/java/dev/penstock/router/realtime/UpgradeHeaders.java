package dev.penstock.router.realtime;

import dev.penstock.router.relay.ForwardedHeaders;
import dev.penstock.router.relay.RelayHeaders;
import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heads of a switch to WebSocket (RFC 6455 section 4). Key, version, extensions and subprotocol are settled between client
 * and engine: the router passes on what each said, but for subprotocols that are credentials.
 */
final class UpgradeHeaders {
    static final AsciiString UPGRADE = AsciiString.cached("upgrade");
    static final AsciiString WEBSOCKET = AsciiString.cached("websocket");
    static final AsciiString VERSION = AsciiString.cached("sec-websocket-version");
    static final String SPOKEN_VERSION = "13";
    private static final AsciiString CONNECTION = AsciiString.cached("connection");
    private static final AsciiString KEY = AsciiString.cached("sec-websocket-key");
    private static final AsciiString PROTOCOL = AsciiString.cached("sec-websocket-protocol");
    /** How browsers, which can't set headers, say their key. */
    private static final String CREDENTIAL = "openai-insecure-api-key.";

    private UpgradeHeaders() {}

    /** Whether a request asks for it at all; its version is another matter. */
    static boolean asked(HttpServerRequest request) {
        MultiMap headers = request.headers();
        return request.method() == HttpMethod.GET
                && request.version() == HttpVersion.HTTP_1_1
                && lists(headers.getAll(UPGRADE), "websocket")
                && lists(headers.getAll(CONNECTION), "upgrade")
                && headers.getAll(KEY).size() == 1
                && !headers.contains("content-length")
                && !headers.contains("transfer-encoding");
    }

    private static boolean lists(List<String> values, String word) {
        for (String value : values) {
            for (String each : value.split(",", -1)) if (each.strip().equalsIgnoreCase(word)) return true;
        }
        return false;
    }

    static void toEngine(MultiMap from, MultiMap to) {
        ForwardedHeaders.toEngine(from, to);
        to.set(CONNECTION, UPGRADE);
        to.set(UPGRADE, WEBSOCKET);
        List<String> offered = from.getAll(PROTOCOL);
        if (offered.isEmpty()) return;
        String harmless = withoutCredentials(offered);
        if (harmless.isEmpty()) to.remove(PROTOCOL);
        else to.set(PROTOCOL, harmless);
    }

    /** The key that a client says among its subprotocols, or null. */
    static @Nullable String credential(MultiMap headers) {
        for (String value : headers.getAll(PROTOCOL)) {
            for (String each : value.split(",", -1)) {
                if (isCredential(each.strip())) return each.strip().substring(CREDENTIAL.length());
            }
        }
        return null;
    }

    private static boolean isCredential(String protocol) {
        return protocol.regionMatches(true, 0, CREDENTIAL, 0, CREDENTIAL.length());
    }

    private static String withoutCredentials(List<String> offered) {
        List<String> harmless = new ArrayList<>();
        for (String value : offered) {
            for (String each : value.split(",", -1)) {
                String protocol = each.strip();
                if (!protocol.isEmpty() && !isCredential(protocol)) harmless.add(protocol);
            }
        }
        return String.join(", ", harmless);
    }

    static void toClient(MultiMap from, MultiMap to, String replica, String decision) {
        ForwardedHeaders.toClient(from, to);
        to.set(CONNECTION, UPGRADE);
        to.set(UPGRADE, WEBSOCKET);
        to.set(RelayHeaders.REPLICA, replica);
        to.set(RelayHeaders.DECISION, decision);
    }
}
