package dev.penstock.admission.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.admission.config.WatchedModels;
import dev.penstock.admission.policy.PolicyBook;
import dev.penstock.admission.policy.PolicyPublisher;
import dev.penstock.admission.rest.PolicyJson;
import java.util.Collection;
import java.util.function.LongSupplier;

/** {@code /debug/shares}. Written on the service's context, a few times a second; any thread may read the last one. */
public final class SharesPage {
    private final WatchedModels models;
    private final PolicyBook book;
    private final PolicyPublisher publisher;
    private final LongSupplier nanoClock;
    private volatile JsonNode page = JsonNodeFactory.instance.objectNode();

    public SharesPage(WatchedModels models, PolicyBook book, PolicyPublisher publisher, LongSupplier nanoClock) {
        this.models = models;
        this.book = book;
        this.publisher = publisher;
        this.nanoClock = nanoClock;
    }

    public JsonNode page() {
        return page;
    }

    public void refresh(Collection<String> liveRouters, boolean routersKnown) {
        long now = nanoClock.getAsLong();
        ObjectNode next = JsonNodeFactory.instance.objectNode();
        next.put("owner", publisher.owns());
        next.put("configError", models.problem());
        next.put("redisConnected", routersKnown);
        liveRouters.forEach(next.putArray("liveRouters")::add);
        ObjectNode policies = next.putObject("models");
        book.view().forEach((model, heard) -> {
            ObjectNode each = PolicyJson.of(heard, publisher.owns(), now);
            each.put("gone", heard.record().gone());
            ObjectNode held = each.putObject("held");
            publisher.held(model).forEach((router, share) -> held.put(router, share / 1e3));
            policies.set(model, each);
        });
        page = next;
    }
}
