package dev.penstock.enginesim;

import dev.penstock.enginesim.kvevents.KvEventPublisher;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/** Binds an engine to one event loop, and its port's life to the deployment. */
final class EngineVerticle extends VerticleBase {
    private final EngineListener listener;
    private final @Nullable KvEventPublisher kvEvents;

    EngineVerticle(EngineListener listener, @Nullable KvEventPublisher kvEvents) {
        this.listener = listener;
        this.kvEvents = kvEvents;
    }

    @Override
    public Future<?> start() {
        Future<Void> publishing = kvEvents == null ? Future.succeededFuture() : kvEvents.open();
        return publishing.compose(_ -> listener.open());
    }

    @Override
    public Future<?> stop() {
        if (kvEvents != null) {
            kvEvents.close();
        }
        return listener.close();
    }

    /** The engine's event loop; there once it is deployed. */
    Context eventLoop() {
        return context;
    }
}
