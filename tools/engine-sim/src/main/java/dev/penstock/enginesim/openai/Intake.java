package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Where requests that make the GPU work come in: they are booked, and faults of requests strike, whatever is asked. */
public final class Intake {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final long MILLIS_PER_SECOND = 1_000;

    private final EngineParts engine;
    private final Dialect dialect;

    public Intake(EngineParts engine, Dialect dialect) {
        this.engine = engine;
        this.dialect = dialect;
    }

    /** Books a request whose head has arrived. */
    public Exchange open(Endpoint endpoint, HttpServerRequest http) {
        Exchange exchange = new Exchange(http, engine, idOf(http), reply -> dialect.in(endpoint, reply));
        exchange.whenAbandoned(() -> {});
        return exchange;
    }

    /** Books a request of a path that has no {@link Endpoint}. */
    public Exchange open(HttpServerRequest http) {
        Exchange exchange = new Exchange(http, engine, idOf(http), reply -> reply);
        exchange.whenAbandoned(() -> {});
        return exchange;
    }

    /** Goes on with a request whose body has arrived, unless a fault answers or holds it. */
    public void admit(Exchange exchange, Runnable rest) {
        if (!exchange.open()) {
            return;
        }
        Fault fault = engine.fault().get();
        if (fault instanceof Fault.Hang || fault instanceof Fault.HangRequests) {
            engine.gate().hold(exchange::open, () -> admit(exchange, rest));
            return;
        }
        if (fault instanceof Fault.Throttle throttle && engine.lots().hit(throttle.percent())) {
            long seconds = Math.ceilDiv(throttle.retryAfterMillis(), MILLIS_PER_SECOND);
            exchange.header("retry-after", Long.toString(seconds));
            exchange.reject(dialect.injected(TOO_MANY_REQUESTS));
            return;
        }
        ErrorReply failure = failure();
        if (failure == null) {
            rest.run();
        } else {
            exchange.reject(failure);
        }
    }

    /** The answer to every request, whatever it asks for. */
    public @Nullable ErrorReply failure() {
        return switch (engine.fault().get()) {
            case Fault.ErrorStatus error when engine.lots().hit(error.percent()) -> dialect.injected(error.code());
            case Fault.Dead _ -> dialect.dead();
            case Fault.Scaling _ -> dialect.scaling();
            case Fault.QueueFull _ when !dialect.queueFullInStream() -> dialect.queueFull();
            default -> null;
        };
    }

    private String idOf(HttpServerRequest http) {
        String given = http.getHeader("X-Request-Id");
        return given != null ? given : engine.newId();
    }
}
