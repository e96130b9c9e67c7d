package dev.penstock.router;

import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.Readiness;
import dev.penstock.router.ingress.RequestPeek;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;

/** Peeks 20,000 bodies before readiness: the first requests of a cold JVM cost 5 to 50 ms otherwise. */
final class WarmUp {
    private static final int ROUNDS = 20_000;
    private static final String BODY =
            "{\"model\":\"warm/up\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";

    private WarmUp() {}

    static Future<?> run(Vertx vertx, Readiness readiness) {
        Condition warm = readiness.condition("warm-up", "compiling the hot path");
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        return vertx.executeBlocking(
                        () -> {
                            int routable = 0;
                            for (int i = 0; i < ROUNDS; i++) {
                                if (RequestPeek.of(body) instanceof RequestPeek.Peeked) routable++;
                            }
                            return routable;
                        },
                        false)
                .onSuccess(done -> warm.ok());
    }
}
