package dev.penstock.kit.management;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;

/** A page about one of many things, {@code /debug/<page>/<item>}. */
@FunctionalInterface
public interface ItemPage {
    /**
     * @param item as the caller wrote it, percent-decoded
     * @param headers of the caller's request, whose token has been checked
     */
    Future<Answer> of(String item, MultiMap headers);

    record Answer(int status, JsonNode body) {}
}
