package dev.penstock.localstack;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.concurrent.Callable;

/** How the {@code penstock} command talks to a running stack: {@code POST /down, GET /status, POST /fault[/clear]}. */
final class ControlServer {
    private final HttpServer server;

    private ControlServer(HttpServer server) {
        this.server = server;
    }

    static Future<ControlServer> start(Vertx vertx, FaultDesk faults, Callable<JsonObject> status, Runnable down) {
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create(false).setBodyLimit(65_536));
        router.get("/status").handler(call -> vertx.executeBlocking(status, false)
                .onComplete(page -> call.json(page), failure -> refuse(call, 500, failure)));
        router.post("/down").handler(call -> {
            call.json(new JsonObject().put("ok", true));
            down.run();
        });
        router.post("/fault").handler(call -> apply(vertx, faults, call));
        router.post("/fault/clear").handler(call -> {
            String target = text(call, "target");
            answer(call, vertx.executeBlocking(() -> done(() -> faults.clear(target)), false));
        });
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .map(ControlServer::new);
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    private static void apply(Vertx vertx, FaultDesk faults, RoutingContext call) {
        String target = text(call, "target");
        String verb = text(call, "verb");
        JsonObject body = call.body().asJsonObject();
        List<String> args = body == null
                ? List.of()
                : body.getJsonArray("args", new JsonArray()).stream()
                        .map(String::valueOf)
                        .toList();
        Long forMillis = body == null ? null : body.getLong("forMillis");
        answer(
                call,
                vertx.executeBlocking(() -> done(() -> faults.apply(target, verb, args)), false)
                        .onSuccess(ok -> {
                            if (forMillis != null && forMillis > 0) {
                                vertx.setTimer(
                                        forMillis,
                                        timer -> vertx.executeBlocking(() -> done(() -> faults.clear(target)), false));
                            }
                        }));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static boolean done(Action action) throws Exception {
        action.run();
        return true;
    }

    private static String text(RoutingContext call, String field) {
        JsonObject body = call.body().asJsonObject();
        return body == null ? "" : body.getString(field, "");
    }

    private static void answer(RoutingContext call, Future<Boolean> action) {
        action.onComplete(
                ok -> call.json(new JsonObject().put("ok", true)),
                failure -> refuse(call, failure instanceof IllegalArgumentException ? 400 : 500, failure));
    }

    private static void refuse(RoutingContext call, int status, Throwable failure) {
        call.response().setStatusCode(status);
        call.json(new JsonObject().put("error", String.valueOf(failure.getMessage())));
    }
}
