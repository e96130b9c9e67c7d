package dev.penstock.enginesim.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.enginesim.engine.VideoJob;
import dev.penstock.enginesim.media.FormReader;
import dev.penstock.enginesim.media.FormRoute;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.Exchange;
import dev.penstock.enginesim.openai.Intake;
import dev.penstock.enginesim.openai.NotedAnswer;
import dev.penstock.enginesim.openai.PseudoBytes;
import dev.penstock.enginesim.openai.ServedModels;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * {@code /v1/videos}: a POST makes a job, in JSON or as a form; the rest asks for it by an id that only this engine knows.
 * Only the POST is booked as a request, as nothing waits for the rest.
 */
public final class VideoRoutes {
    private static final String PATH = "/v1/videos";
    private static final String PREFIX = PATH + "/";
    private static final String CONTENT = "/content";
    /** 128 kbit/s: small, and more than one TCP segment. */
    private static final int BYTES_PER_SECOND = 16_384;

    private static final int MOST_SECONDS = 3_600;

    private final ObjectMapper json = new ObjectMapper();
    private final ApiStyle style;
    private final EngineParts engine;
    private final Dialect dialect;
    private final ServedModels models;
    private final Intake intake;

    public VideoRoutes(ApiStyle style, EngineParts engine, Dialect dialect, ServedModels models) {
        this.style = style;
        this.engine = engine;
        this.dialect = dialect;
        this.models = models;
        this.intake = new Intake(engine, dialect);
    }

    public static boolean serves(String path) {
        return path.equals(PATH) || path.startsWith(PREFIX);
    }

    public void handle(HttpServerRequest request) {
        if (!request.path().equals(PATH)) {
            followUp(request, request.path().substring(PREFIX.length()));
        } else if (request.method().equals(HttpMethod.POST)) {
            create(request);
        } else if (request.method().equals(HttpMethod.GET)) {
            new NotedAnswer(engine, request, reply -> reply).json(list());
        } else {
            new NotedAnswer(engine, request, reply -> reply).refuse(dialect.wrongMethod());
        }
    }

    private void create(HttpServerRequest request) {
        Exchange exchange = intake.open(request);
        String type = request.getHeader("Content-Type");
        if (type != null && type.startsWith("multipart/form-data")) {
            new FormReader(request, exchange.id())
                    .read(
                            form -> intake.admit(exchange, () -> createFrom(exchange, form)),
                            () -> intake.admit(exchange, () -> exchange.reject(missingPrompt())));
            return;
        }
        request.body().onSuccess(body -> intake.admit(exchange, () -> createFrom(exchange, body.getBytes())));
    }

    private void createFrom(Exchange exchange, ReceivedForm form) {
        engine.kept().forms().add(form);
        createFrom(exchange, FormRoute.json(form));
    }

    private void createFrom(Exchange exchange, byte[] body) {
        try {
            createFrom(exchange, json.readTree(body));
        } catch (IOException _) {
            exchange.reject(dialect.invalid(
                    "1 validation error: [{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]"));
        }
    }

    private void createFrom(Exchange exchange, JsonNode asked) {
        String model = asked.path("model").asText(models.first());
        if (!asked.path("prompt").isTextual()) {
            exchange.reject(missingPrompt());
        } else if (!models.names().contains(model)) {
            exchange.reject(dialect.unknownModel(model));
        } else if (!asked.path("seconds").asText("4").matches("[1-9]\\d{0,3}")) {
            exchange.reject(dialect.badRequest("seconds must be from 1 to " + MOST_SECONDS + ".", "seconds"));
        } else {
            VideoJob job = new VideoJob(
                    style == ApiStyle.VLLM ? "video_gen_" + engine.newId() : engine.newId(),
                    model,
                    asked.path("prompt").asText(),
                    asked.path("seconds").asText("4"),
                    asked.path("size").asText("720x1280"),
                    engine.seconds(),
                    engine.nanoClock().getAsLong(),
                    TimeUnit.MILLISECONDS.toNanos(engine.kept().videoMillis()));
            engine.kept().videos().add(job);
            exchange.answer(VideoBody.job(style, job, engine.nanoClock().getAsLong()));
        }
    }

    private void followUp(HttpServerRequest request, String rest) {
        NotedAnswer answer = new NotedAnswer(engine, request, reply -> reply);
        boolean content = rest.endsWith(CONTENT);
        String id = content ? rest.substring(0, rest.length() - CONTENT.length()) : rest;
        HttpMethod method = request.method();
        if (!method.equals(HttpMethod.GET) && (content || !method.equals(HttpMethod.DELETE))) {
            answer.refuse(dialect.wrongMethod());
            return;
        }
        VideoJob job = engine.kept().videos().find(id);
        if (job == null) {
            answer.refuse(dialect.notFound("Video '" + id + "' not found.", "video_id"));
            return;
        }
        long now = engine.nanoClock().getAsLong();
        if (content) {
            sendContent(answer, job, now);
        } else if (method.equals(HttpMethod.GET)) {
            answer.json(VideoBody.job(style, job, now));
        } else {
            engine.kept().videos().remove(id);
            answer.json(VideoBody.deleted(job));
        }
    }

    private void sendContent(NotedAnswer answer, VideoJob job, long now) {
        if (job.status(now) == VideoJob.Status.COMPLETED) {
            int length = Math.min(Integer.parseInt(job.seconds()), MOST_SECONDS) * BYTES_PER_SECOND;
            answer.send(200, "video/mp4", PseudoBytes.of(job.prompt().hashCode(), length));
        } else {
            answer.refuse(dialect.notFound("Video '" + job.id() + "' is not ready.", "video_id"));
        }
    }

    private String list() {
        return VideoBody.list(
                style, engine.kept().videos().all(), engine.nanoClock().getAsLong());
    }

    private ErrorReply missingPrompt() {
        return dialect.invalid(
                "1 validation error: [{'type': 'missing', 'loc': ('body', 'prompt'), 'msg':" + " 'Field required'}]");
    }
}
