package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.Kept;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.engine.SentBody;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.kvevents.KvEventPublisher;
import dev.penstock.enginesim.openai.Connections;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** One simulated engine, as its fleet and tests handle it. Every method may be called from any thread. */
public final class EngineSim {
    record Identity(String name, String host, String profile, EngineKind kind) {}

    record Parts(
            Handler<HttpServerRequest> front,
            StepLoop loop,
            FaultSwitch faults,
            RequestBook requests,
            SentBodies bodies,
            Kept kept,
            KeepAlive keepAlive,
            @Nullable KvEventPublisher kvEvents) {}

    private final Vertx vertx;
    private final Identity identity;
    private final Parts parts;
    private final EngineListener listener;
    private final EngineVerticle verticle;
    private volatile @Nullable String deploymentId;

    EngineSim(Vertx vertx, Identity identity, int port, Parts parts) {
        this.vertx = vertx;
        this.identity = identity;
        this.parts = parts;
        EngineControl control = new EngineControl(this);
        this.listener = new EngineListener(vertx, identity.host(), port, parts.keepAlive(), request -> {
            if (request.path().startsWith(EngineControl.ENGINE_PREFIX)) {
                control.handle(request, request.path().substring(EngineControl.ENGINE_PREFIX.length()));
            } else if (parts.faults().current() instanceof Fault.ResetReused
                    && parts.keepAlive().reused(request.connection())) {
                Connections.reset(request.connection());
            } else {
                parts.front().handle(request);
            }
        });
        this.verticle = new EngineVerticle(listener, parts.kvEvents());
    }

    /** {@code engine-0}, {@code engine-1}, ... */
    public String name() {
        return identity.name();
    }

    /** VLLM or SGLANG. */
    public EngineKind kind() {
        return identity.kind();
    }

    public int port() {
        return listener.port();
    }

    /** {@code http://host:port}. */
    public String endpoint() {
        return "http://" + identity.host() + ":" + port();
    }

    /** Where it publishes KV events, {@code tcp://host:port}, or null when it does not. */
    public @Nullable String kvEvents() {
        KvEventPublisher publisher = parts.kvEvents();
        return publisher == null ? null : publisher.endpoint();
    }

    /** Where it tells events again, or null. */
    public @Nullable String kvReplay() {
        KvEventPublisher publisher = parts.kvEvents();
        return publisher == null ? null : publisher.replayEndpoint();
    }

    /** Replaces whatever fault there is. Done when it is in force: for {@code refuse}, when connections are refused. */
    public Future<Void> fault(Fault fault) {
        Promise<Void> done = Promise.promise();
        verticle.eventLoop()
                .runOnContext(_ -> parts.faults().set(fault, listener).onComplete(done));
        return done.future();
    }

    /** Done when the engine works again, on the same port. */
    public Future<Void> clearFault() {
        return fault(new Fault.None());
    }

    public EngineState state() {
        return new EngineState(
                name(),
                kind(),
                port(),
                identity.profile(),
                parts.faults().current(),
                parts.loop().running(),
                parts.loop().waiting(),
                parts.requests().counts());
    }

    /** The high-water mark of in-flight requests starts again from what is open now. */
    public void resetHighWater() {
        parts.requests().resetHighWater();
    }

    /** What was sent for this X-Request-Id, if it was among the last 1000. */
    public @Nullable SentBody sentBody(String requestId) {
        return parts.bodies().find(requestId);
    }

    /** What came as the form of this X-Request-Id, if it was among the last 1000. */
    public @Nullable ReceivedForm receivedForm(String requestId) {
        return parts.kept().forms().find(requestId);
    }

    Future<EngineSim> start() {
        return vertx.deployVerticle(verticle).onSuccess(id -> deploymentId = id).map(this);
    }

    Future<Void> stop() {
        String deployed = deploymentId;
        return deployed == null ? Future.succeededFuture() : vertx.undeploy(deployed);
    }
}
