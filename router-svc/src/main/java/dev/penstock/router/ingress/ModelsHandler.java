package dev.penstock.router.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.view.FleetView;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/** {@code GET /v1/models} from the view: no replica is asked, so none can spoil the answer. */
final class ModelsHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FleetView view;
    private final ModelNames names;
    private final long createdSeconds;

    ModelsHandler(FleetView view, ModelNames names, long createdSeconds) {
        this.view = view;
        this.names = names;
        this.createdSeconds = createdSeconds;
    }

    void handle(HttpServerRequest request) {
        ObjectNode list = JSON.createObjectNode().put("object", "list");
        var data = list.putArray("data");
        List<String> served = new ArrayList<>(view.current().models());
        names.aliases().forEach((alias, model) -> {
            if (served.contains(model)) served.add(alias);
        });
        for (String model : served) {
            data.addObject()
                    .put("id", model)
                    .put("object", "model")
                    .put("created", createdSeconds)
                    .put("owned_by", "penstock");
        }
        request.response().putHeader("content-type", "application/json").end(Buffer.buffer(list.toString()));
    }
}
