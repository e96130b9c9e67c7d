package dev.penstock.router.ingress;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.view.FleetView;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** {@code GET /v1/models} from the view: no replica is asked, so none can spoil the answer. */
final class ModelsHandler {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FleetView view;
    private final long createdSeconds;

    ModelsHandler(FleetView view, long createdSeconds) {
        this.view = view;
        this.createdSeconds = createdSeconds;
    }

    void handle(HttpServerRequest request) {
        ObjectNode list = JSON.createObjectNode().put("object", "list");
        var data = list.putArray("data");
        for (String model : view.current().models()) {
            data.addObject()
                    .put("id", model)
                    .put("object", "model")
                    .put("created", createdSeconds)
                    .put("owned_by", "penstock");
        }
        request.response().putHeader("content-type", "application/json").end(Buffer.buffer(list.toString()));
    }
}
