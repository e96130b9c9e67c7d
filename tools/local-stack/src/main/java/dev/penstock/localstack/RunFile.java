package dev.penstock.localstack;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;

/** {@code run.json} in the data directory: what runs, and where it is asked. Gone when nothing runs. */
final class RunFile {
    private final Path file;

    RunFile(Path data) {
        this.file = data.resolve("run.json");
    }

    void write(
            String controlUrl,
            List<StatusPage.Place> routers,
            List<StatusPage.Place> services,
            List<StatusPage.Place> engines,
            StateServers servers,
            String model)
            throws IOException {
        JsonObject run = new JsonObject()
                .put("pid", ProcessHandle.current().pid())
                .put("ready", true)
                .put("startedAt", Instant.now().toString())
                .put("controlUrl", controlUrl)
                .put("routers", places(routers))
                .put("services", places(services))
                .put("engines", places(engines))
                .put("kafka", servers.bootstrapServers())
                .put("redis", servers.redisUrl())
                .put("model", model);
        Path next = file.resolveSibling("run.json.next");
        Files.writeString(next, run.encodePrettily() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    private static JsonArray places(List<StatusPage.Place> places) {
        JsonArray rows = new JsonArray();
        for (StatusPage.Place place : places) {
            rows.add(new JsonObject()
                    .put("name", place.name())
                    .put("url", place.url())
                    .put("managementUrl", place.managementUrl()));
        }
        return rows;
    }
}
