package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;

class ForwardedHeadersTest {
    @Test
    void what_a_client_steers_us_with_stays_here() {
        MultiMap sent = MultiMap.caseInsensitiveMultiMap()
                .add("Routing-Strategy", "random")
                .add("Target-Pod", "engine-1")
                .add("X-Penstock-Anything", "1")
                .add("Authorization", "Bearer secret")
                .add("Accept", "text/event-stream");
        MultiMap forwarded = MultiMap.caseInsensitiveMultiMap();

        ForwardedHeaders.toEngine(sent, forwarded);

        assertThat(forwarded.names()).containsExactly("Accept");
    }
}
