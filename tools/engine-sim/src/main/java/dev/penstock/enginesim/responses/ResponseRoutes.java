package dev.penstock.enginesim.responses;

import dev.penstock.enginesim.engine.StoredResponse;
import dev.penstock.enginesim.engine.StoredResponses;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.NotedAnswer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/** What may be done with a stored response: {@code GET}, {@code DELETE}, {@code POST .../cancel}. */
public final class ResponseRoutes {
    private static final String PREFIX = Endpoint.RESPONSES.path() + "/";
    private static final String CANCEL = "/cancel";

    private final EngineParts engine;
    private final StoredResponses stored;
    private final Dialect dialect;

    public ResponseRoutes(EngineParts engine, Dialect dialect) {
        this.engine = engine;
        this.stored = engine.kept().responses();
        this.dialect = dialect;
    }

    public static boolean serves(String path) {
        return path.startsWith(PREFIX);
    }

    public void handle(HttpServerRequest request) {
        NotedAnswer answer = new NotedAnswer(engine, request, reply -> dialect.in(Endpoint.RESPONSES, reply));
        String rest = request.path().substring(PREFIX.length());
        boolean cancels = rest.endsWith(CANCEL);
        String id = cancels ? rest.substring(0, rest.length() - CANCEL.length()) : rest;
        boolean allowed = cancels
                ? request.method().equals(HttpMethod.POST)
                : request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.DELETE);
        if (!allowed) {
            answer.refuse(dialect.wrongMethod());
            return;
        }
        StoredResponse response = stored.find(id);
        if (response == null) {
            answer.refuse(dialect.notFound("Response with id '" + id + "' not found.", "response_id"));
        } else if (cancels) {
            cancel(answer, response);
        } else if (request.method().equals(HttpMethod.GET)) {
            answer.json(response.json());
        } else {
            delete(answer, id, response);
        }
    }

    private void cancel(NotedAnswer answer, StoredResponse response) {
        if (!response.working()) {
            answer.refuse(dialect.badRequest("Cannot cancel a synchronous response.", "response_id"));
            return;
        }
        response.cancel();
        answer.json(response.json());
    }

    private void delete(NotedAnswer answer, String id, StoredResponse response) {
        response.cancel();
        stored.remove(id);
        StringBuilder out = new StringBuilder("{\"id\":");
        answer.json(JsonText.append(out, id)
                .append(",\"object\":\"response.deleted\",\"deleted\":true}")
                .toString());
    }
}
