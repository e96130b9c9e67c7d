package dev.penstock.enginesim.media;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.Exchange;
import dev.penstock.enginesim.openai.GenerationRoute;
import dev.penstock.enginesim.openai.Intake;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/** Endpoints whose body is a form with a file: the form becomes what a JSON body would be, and goes the same way. */
public final class FormRoute {
    private static final Set<String> NUMBERS =
            Set.of("n", "max_tokens", "max_completion_tokens", "num_inference_steps", "temperature");

    private final EngineParts engine;
    private final Dialect dialect;
    private final Intake intake;
    private final GenerationRoute generation;

    public FormRoute(EngineParts engine, Dialect dialect, GenerationRoute generation) {
        this.engine = engine;
        this.dialect = dialect;
        this.intake = new Intake(engine, dialect);
        this.generation = generation;
    }

    public void handle(Endpoint endpoint, HttpServerRequest http) {
        Exchange exchange = intake.open(endpoint, http);
        new FormReader(http, exchange.id())
                .read(
                        form -> {
                            engine.kept().forms().add(form);
                            intake.admit(exchange, () -> start(endpoint, exchange, form));
                        },
                        () -> intake.admit(exchange, () -> exchange.reject(missing(endpoint))));
    }

    private void start(Endpoint endpoint, Exchange exchange, ReceivedForm form) {
        boolean hasFile = form.files().stream()
                .anyMatch(file -> file.field().equals(endpoint.inputField())
                        || file.field().equals(endpoint.inputField() + "[]"));
        if (!hasFile) {
            exchange.reject(missing(endpoint));
            return;
        }
        generation.start(exchange, generation.parser().parse(endpoint, json(form)));
    }

    private ErrorReply missing(Endpoint endpoint) {
        return dialect.invalid("1 validation error: [{'type': 'missing', 'loc': ('body', '" + endpoint.inputField()
                + "'), 'msg': 'Field required'}]");
    }

    /** A field that should be a number or yes or no and is not stays text, which the parser refuses. */
    public static ObjectNode json(ReceivedForm form) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        form.fields().forEach((name, value) -> {
            if (value.equals("true") || value.equals("false")) {
                root.put(name, Boolean.parseBoolean(value));
            } else if (NUMBERS.contains(name) && value.matches("-?\\d{1,9}")) {
                root.put(name, Integer.parseInt(value));
            } else if (NUMBERS.contains(name) && value.matches("-?\\d{1,9}\\.\\d{1,9}")) {
                root.put(name, Double.parseDouble(value));
            } else {
                root.put(name, value);
            }
        });
        form.files().forEach(file -> root.withArrayProperty("files")
                .addObject()
                .put("sha256", file.sha256())
                .put("bytes", file.bytes()));
        return root;
    }
}
