package dev.penstock.router.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.view.FleetView;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.Tenant;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/models} from the view: no replica is asked, so none can spoil the answer. */
final class ModelsHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FleetView view;
    private final ModelNames names;
    private final Gate gate;
    private final long createdSeconds;

    ModelsHandler(FleetView view, ModelNames names, Gate gate, long createdSeconds) {
        this.view = view;
        this.names = names;
        this.gate = gate;
        this.createdSeconds = createdSeconds;
    }

    void list(HttpServerRequest request) {
        Tenant tenant = tenant(request);
        if (tenant == null) return;
        ObjectNode list = JSON.createObjectNode().put("object", "list");
        var data = list.putArray("data");
        Set<String> served = served(tenant);
        if (served.isEmpty()) {
            ApiError.noModels().send(request, Envelope.OPENAI);
            return;
        }
        for (String model : served) data.add(model(model));
        send(request, list);
    }

    /** @param raw what follows the path's last known slash: names have slashes of their own, escaped or not */
    void one(HttpServerRequest request, String raw) {
        Tenant tenant = tenant(request);
        if (tenant == null) return;
        String name = decoded(raw);
        if (name != null && served(tenant).contains(name)) send(request, model(name));
        else ApiError.unknownModel(raw).send(request, Envelope.OPENAI);
    }

    /** Null when the request has been answered. */
    private @Nullable Tenant tenant(HttpServerRequest request) {
        return switch (gate.check(request)) {
            case Access.Granted granted -> granted.tenant();
            case Access.Refused refused -> {
                Gate.error(refused).send(request, Envelope.OPENAI);
                yield null;
            }
        };
    }

    private Set<String> served(Tenant tenant) {
        Set<String> served = new TreeSet<>(view.current().models());
        names.aliases().forEach((alias, model) -> {
            if (view.current().models().contains(model)) served.add(alias);
        });
        served.removeIf(name -> !tenant.allows(name, names.resolve(name)));
        return served;
    }

    private ObjectNode model(String name) {
        return JSON.createObjectNode()
                .put("id", name)
                .put("object", "model")
                .put("created", createdSeconds)
                .put("owned_by", "penstock");
    }

    private static @Nullable String decoded(String raw) {
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void send(HttpServerRequest request, ObjectNode body) {
        request.response().putHeader("content-type", "application/json").end(Buffer.buffer(body.toString()));
    }
}
