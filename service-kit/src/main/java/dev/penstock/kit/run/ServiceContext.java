package dev.penstock.kit.run;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.ConfigTree;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;

/** What a service is given to start with. A service with a configured name makes its own incarnation of it. */
public record ServiceContext(Vertx vertx, ConfigTree config, PrometheusMeterRegistry meters, Incarnation incarnation) {}
