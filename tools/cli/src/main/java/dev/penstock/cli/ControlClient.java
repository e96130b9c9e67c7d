package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The control server of a running stack, or the management port of one of its services. */
final class ControlClient implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final String url;

    record Answer(int status, JsonNode body) {
        String error() {
            return body.path("error").asText("status " + status);
        }
    }

    ControlClient(RunFile run) {
        if (run.controlUrl() == null) {
            throw CliFailure.environment(
                    "Penstock is starting (process " + run.pid() + "): try again when it is ready.");
        }
        this.url = run.controlUrl();
    }

    ControlClient(String url) {
        this.url = url;
    }

    Answer get(String path) {
        return send(request(path).GET().build());
    }

    Answer post(String path, JsonNode body) {
        return send(request(path)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(30));
    }

    private Answer send(HttpRequest request) {
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), parse(response.body()));
        } catch (IOException e) {
            throw CliFailure.environment("No answer from " + request.uri() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliFailure.failed("Interrupted.");
        }
    }

    private static JsonNode parse(String body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JsonProcessingException e) {
            return Json.MAPPER.createObjectNode().put("error", body);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
