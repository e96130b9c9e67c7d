package dev.penstock.enginesim;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Control of a whole fleet on a port of its own, which the fault {@code refuse} does not close: {@code GET /engines} and
 * {@code /engines/NAME/...} as in {@link EngineControl}.
 */
final class ControlServer {
    private static final String ENGINES = "/engines";

    private final Map<String, EngineControl> nameToControl = new LinkedHashMap<>();
    private final List<EngineSim> engines;

    ControlServer(List<EngineSim> engines) {
        this.engines = engines;
        engines.forEach(engine -> nameToControl.put(engine.name(), new EngineControl(engine)));
    }

    Future<HttpServer> listen(Vertx vertx, String host, int port) {
        if (Ports.taken(host, port)) {
            return Future.failedFuture(new PortTakenException(host, port));
        }
        return vertx.createHttpServer().requestHandler(this::handle).listen(port, host);
    }

    private void handle(HttpServerRequest request) {
        String path = request.path();
        if (path.equals(ENGINES) && request.method().name().equals("GET")) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            engines.forEach(engine -> list.add(EngineControl.stateJson(engine)));
            ControlReply.send(request, 200, list);
            return;
        }
        if (path.startsWith(ENGINES + "/")) {
            String rest = path.substring(ENGINES.length() + 1);
            int slash = rest.indexOf('/');
            EngineControl control = slash < 0 ? null : nameToControl.get(rest.substring(0, slash));
            if (control != null) {
                control.handle(request, rest.substring(slash + 1));
                return;
            }
        }
        ControlReply.fail(
                request, 404, "expected /engines or /engines/NAME/..., with NAME one of " + nameToControl.keySet());
    }
}
