package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ForwardedHeadersTest {
    /** What connections give, and what is no subtype of it. */
    private static final List<Supplier<MultiMap>> KINDS =
            List.of(HttpHeaders::headers, MultiMap::caseInsensitiveMultiMap);

    @Test
    void what_a_client_steers_us_with_stays_here() {
        for (Supplier<MultiMap> kind : KINDS) {
            MultiMap sent = kind.get()
                    .add("Routing-Strategy", "random")
                    .add("Target-Pod", "engine-1")
                    .add("X-Penstock-Anything", "1")
                    .add("Authorization", "Bearer secret")
                    .add("X-Api-Key", "secret")
                    .add("api-key", "secret")
                    .add("Accept", "text/event-stream");
            MultiMap forwarded = kind.get();

            ForwardedHeaders.toEngine(sent, forwarded);

            assertThat(forwarded.names()).containsExactly("Accept");
        }
    }

    @Test
    void what_belongs_to_a_connection_ends_with_it() {
        for (Supplier<MultiMap> kind : KINDS) {
            MultiMap sent = kind.get()
                    .add("Connection", "keep-alive, X-Hop")
                    .add("X-Hop", "1")
                    .add("Keep-Alive", "timeout=9")
                    .add("TE", "trailers")
                    .add("Proxy-Authorization", "Basic eA==")
                    .add("Upgrade", "h2c")
                    .add("x-UPPER-case", "Q")
                    .add("X-Dup", "1")
                    .add("X-Dup", "2");
            MultiMap forwarded = kind.get();

            ForwardedHeaders.toEngine(sent, forwarded);

            assertThat(forwarded.names()).containsExactlyInAnyOrder("x-UPPER-case", "X-Dup");
            assertThat(forwarded.getAll("x-dup")).containsExactly("1", "2");
        }
    }

    @Test
    void a_client_sees_every_cookie_and_one_framing() {
        for (Supplier<MultiMap> kind : KINDS) {
            MultiMap sent = kind.get()
                    .add("Connection", "close")
                    .add("Transfer-Encoding", "chunked")
                    .add("Proxy-Authenticate", "x")
                    .add("X-Request-ID", "r1")
                    .add("Set-Cookie", "a=1")
                    .add("Set-Cookie", "b=2; Path=/")
                    .add("Content-Length", "5");
            MultiMap forwarded = kind.get();

            ForwardedHeaders.toClient(sent, forwarded);

            assertThat(forwarded.names()).containsExactlyInAnyOrder("Set-Cookie", "Content-Length");
            assertThat(forwarded.getAll("set-cookie")).containsExactly("a=1", "b=2; Path=/");
        }
    }
}
