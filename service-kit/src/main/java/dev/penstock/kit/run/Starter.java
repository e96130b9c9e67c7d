package dev.penstock.kit.run;

import dev.penstock.kit.config.ConfigException;
import io.vertx.core.Future;

/**
 * Reads the configuration, calls its {@code finish()}, then starts the service. Called on the main thread, not on an
 * event loop.
 */
@FunctionalInterface
public interface Starter {
    Future<RunningService> start(ServiceContext context) throws ConfigException;
}
