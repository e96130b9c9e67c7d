package dev.penstock.kit.management;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/** A page about one of many things, {@code /debug/<page>/<item>}. */
@FunctionalInterface
public interface ItemPage {
    Future<Answer> of(String item);

    record Answer(int status, JsonNode body) {}
}
