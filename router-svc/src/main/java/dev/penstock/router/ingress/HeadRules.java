package dev.penstock.router.ingress;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpVersion;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the HTTP library lets through and an engine's connection would not, or would understand in another way. */
final class HeadRules {
    private HeadRules() {}

    /** What is wrong with a head, in words for the client, or null. */
    static @Nullable String fault(HttpVersion version, MultiMap headers) {
        if (version == HttpVersion.HTTP_2) {
            // The values of HTTP/2 headers are not checked by its decoder.
            return clean(headers) ? null : "A header has characters that no header may have.";
        }
        // Anything but chunked would be read as no body at all, and the body as the next request.
        String coding = headers.get(Headers.TRANSFER_ENCODING);
        return coding == null || coding.equalsIgnoreCase("chunked")
                ? null
                : "The only Transfer-Encoding that is understood is chunked.";
    }

    private static boolean clean(MultiMap headers) {
        for (Map.Entry<String, String> each : headers) {
            String value = each.getValue();
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c < ' ' && c != '\t' || c == 0x7F) return false;
            }
        }
        return true;
    }
}
