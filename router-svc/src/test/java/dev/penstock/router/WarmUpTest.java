package dev.penstock.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    @Test
    void requests_are_relayed_and_it_ends_in_time() throws Exception {
        Vertx vertx = Vertx.vertx();
        try {
            int answered = WarmUp.relayed(vertx)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);

            assertThat(answered).isGreaterThan(100);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
    }
}
