package dev.penstock.router;

import dev.penstock.core.pick.PickRule;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.core.session.PinStore;
import dev.penstock.core.session.SessionBook;
import dev.penstock.core.session.SessionPins;
import dev.penstock.core.view.FleetView;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.Readiness;
import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.DecisionCounters;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.account.OutcomeCounters;
import dev.penstock.router.account.RelayCounters;
import dev.penstock.router.auth.Authenticator;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.ingress.BodyMemory;
import dev.penstock.router.ingress.IngressParts;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.router.ingress.ModelNames;
import dev.penstock.router.ingress.ModelStrategies;
import dev.penstock.router.ingress.RequestIds;
import dev.penstock.router.job.JobCounters;
import dev.penstock.router.job.Jobs;
import dev.penstock.router.limit.RateLimits;
import dev.penstock.router.prefix.ModelPrefixes;
import dev.penstock.router.prefix.PrefixCounters;
import dev.penstock.router.relay.Exchange;
import dev.penstock.router.relay.RelayPolicies;
import dev.penstock.router.session.ModelSessions;
import dev.penstock.router.trace.Traces;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Relays some thousand requests before readiness, through a listener of its own on the loopback interface to an engine that is
 * made up: all that a client's request runs through is then loaded and compiled. Without it the first requests of a cold JVM
 * took 5 to 50 ms each. Bounded in time; whatever goes wrong in it is no reason not to start.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final int REQUESTS = 6_000;
    private static final long MOST_MILLIS = 4_000;
    private static final int AT_ONCE = 16;
    private static final int REPLICAS = 16;
    private static final int EVENTS = 4;
    private static final String MODEL = "warm/up";
    private static final String LOOPBACK = "127.0.0.1";
    private static final LongSupplier NANO_CLOCK = System::nanoTime;
    private static final Buffer WHOLE =
            Buffer.buffer("{\"id\":\"w\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
                    + "\"message\":{\"role\":\"assistant\",\"content\":\"warm\"},\"finish_reason\":\"stop\"}],"
                    + "\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":1}}");
    private static final Buffer EVENT = Buffer.buffer(
            "data:"
                + " {\"id\":\"w\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"warm\"},\"finish_reason\":null}]}\n\n");
    private static final Buffer LAST = Buffer.buffer("data: {\"id\":\"w\",\"choices\":[{\"index\":0,\"delta\":{},"
            + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");

    private final Vertx vertx;
    private final long startedNanos = NANO_CLOCK.getAsLong();
    private final Promise<Integer> over = Promise.promise();
    private final Buffer[] bodies = {body(false), body(true)};
    private HttpClientAgent client;
    private int port;
    private int sent;
    private int answered;

    private WarmUp(Vertx vertx) {
        this.vertx = vertx;
        this.client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(AT_ONCE));
    }

    static Future<?> run(Vertx vertx, Readiness readiness) {
        Condition warm = readiness.condition("warm-up", "compiling the hot path");
        return relayed(vertx)
                .onFailure(failure -> LOG.warn("not warmed up: {}", failure.toString()))
                .otherwise(0)
                .onSuccess(answered -> warm.ok());
    }

    /** How many requests were answered. */
    static Future<Integer> relayed(Vertx vertx) {
        WarmUp warmUp = new WarmUp(vertx);
        return vertx.createHttpServer()
                .requestHandler(WarmUp::engine)
                .listen(0, LOOPBACK)
                .compose(warmUp::through);
    }

    private Future<Integer> through(HttpServer engine) {
        List<IngressVerticle> listeners = new CopyOnWriteArrayList<>();
        IngressParts parts = parts(vertx, fleet("http://" + LOOPBACK + ":" + engine.actualPort()));
        return vertx.deployVerticle(new IngressVerticle(parts, outcomes -> {}, news -> {}, listeners::add))
                .compose(deployed -> {
                    port = listeners.getFirst().port();
                    vertx.runOnContext(v -> {
                        for (int i = 0; i < AT_ONCE; i++) next();
                    });
                    return over.future()
                            .eventually(() -> vertx.undeploy(deployed))
                            .eventually(client::close)
                            .eventually(engine::close);
                });
    }

    private void next() {
        long age = NANO_CLOCK.getAsLong() - startedNanos;
        if (sent == REQUESTS || age > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
            over.tryComplete(answered);
            return;
        }
        Buffer body = bodies[sent++ % bodies.length];
        client.request(HttpMethod.POST, port, LOOPBACK, "/v1/chat/completions")
                .compose(request ->
                        request.putHeader("content-type", "application/json").send(body))
                .compose(response -> response.body())
                .onComplete(answer -> {
                    if (answer.succeeded()) answered++;
                    next();
                });
    }

    private static Buffer body(boolean stream) {
        String text = "The quick brown fox jumps over the lazy dog. ".repeat(40);
        return Buffer.buffer(
                "{\"model\":\"" + MODEL + "\",\"stream\":" + stream + ",\"user\":\"warm\",\"max_tokens\":16,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"" + text + "\"}]}");
    }

    private static void engine(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            HttpServerResponse response = request.response();
            if (body.toString().contains("\"stream\":true")) {
                response.setChunked(true).putHeader("content-type", "text/event-stream");
                for (int i = 0; i < EVENTS; i++) response.write(EVENT);
                response.end(LAST);
            } else {
                response.putHeader("content-type", "application/json").end(WHOLE);
            }
        });
    }

    private static IngressParts parts(Vertx vertx, FleetView view) {
        MeterRegistry meters = new SimpleMeterRegistry();
        long now = NANO_CLOCK.getAsLong();
        SessionPins pins = new SessionPins(1 << 10, TimeUnit.MINUTES.toNanos(1));
        return new IngressParts(
                RouterConfig.listeningOn(LOOPBACK, 0),
                view,
                new Readiness(),
                new BodyMemory(1 << 26),
                new RequestIds("warm-up", System::currentTimeMillis),
                new ModelNames(List.of()),
                new RateLimits("warm-up", List.of(), now),
                new ModelStrategies<>(List.of(), PickRule::of),
                new Arrivals(),
                new DemandLedger(),
                new OutcomeCounters(meters),
                new RelayCounters(meters, Exchange.failures()),
                new RelayPolicies(List.of()),
                new DecisionCounters(meters),
                new ModelSessions(List.of()),
                new SessionBook(pins, PinStore.NONE, NANO_CLOCK),
                new ModelPrefixes(List.of()),
                new PrefixTable(1 << 10, TimeUnit.MINUTES.toNanos(1)),
                new PrefixCounters(meters),
                Jobs.alone(vertx, new JobCounters(meters), NANO_CLOCK),
                Authenticator.open(),
                Traces.OFF,
                NANO_CLOCK);
    }

    private static FleetView fleet(String endpoint) {
        FleetView view = new FleetView("warm-up", 0);
        for (int number = 1; number <= REPLICAS; number++) {
            Replica replica = Replica.serving(MODEL, "warm-" + number, number, "warm", endpoint);
            view.apply(new RosterRecord(
                    new Header("warm-up", 0, number, Header.NO_EPOCH, 0),
                    replica,
                    false,
                    number,
                    RosterRecord.AGE_UNKNOWN));
        }
        view.current().entries().forEach(entry -> entry.cell().vouchFor());
        return view;
    }
}
