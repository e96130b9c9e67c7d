package dev.penstock.enginesim;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** Binds an engine to one event loop, and its port's life to the deployment. */
final class EngineVerticle extends VerticleBase {
    private final EngineListener listener;

    EngineVerticle(EngineListener listener) {
        this.listener = listener;
    }

    @Override
    public Future<?> start() {
        return listener.open();
    }

    @Override
    public Future<?> stop() {
        return listener.close();
    }

    /** The engine's event loop; there once it is deployed. */
    Context eventLoop() {
        return context;
    }
}
