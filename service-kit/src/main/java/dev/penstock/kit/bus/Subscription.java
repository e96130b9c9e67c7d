package dev.penstock.kit.bus;

import io.vertx.core.Future;

/** A reader of topics, until closed; after that its handler is not called. */
public interface Subscription {
    Future<Void> close();
}
