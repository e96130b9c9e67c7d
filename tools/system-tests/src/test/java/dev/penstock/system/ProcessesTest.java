package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every service as processes of its own, their owners killed and stopped under load. */
class ProcessesTest {
    /** Missed beats take 3 s, the claim a second or two: measured 5 to 6 s. */
    private static final Duration NEW_OWNER = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path data;

    @Test
    void owners_are_killed_and_stopped_and_no_request_fails() throws Exception {
        List<ProcessHandle> services;
        try (Suite suite = Suite.start(data, 2, 4, "--engines", "4", "--engine-kind", "mixed", "--processes")) {
            Await.until("every role has an owner", SOON, () -> owners(suite).size() == 4);
            Map<String, String> before = owners(suite);
            List<OpenLoad.Result> results;
            try (OpenLoad load = new OpenLoad(suite.routerPorts().get(0), 10)) {
                suite.fault(before.get("roster"), "kill");
                suite.fault(before.get("verdicts"), "stop");
                suite.fault(before.get("policy"), "kill");
                suite.fault(before.get("advice"), "stop");
                suite.fault("router-1", "kill");
                Await.until("every role has a new owner", NEW_OWNER, () -> {
                    Map<String, String> now = owners(suite);
                    return now.size() == 4
                            && before.entrySet().stream()
                                    .noneMatch(e -> e.getValue().equals(now.get(e.getKey())));
                });
                suite.fault(before.get("verdicts"), "cont");
                suite.fault(before.get("advice"), "cont");
                Await.until("the killed are back and all are ready", SOON, () -> ready(suite));
                results = load.results();
            }
            assertThat(results).hasSizeGreaterThan(20).allMatch(OpenLoad.Result::served);
            services = suite.processes();
            assertThat(services).hasSize(10);
        }
        Await.until("services end with the stack that started them", SOON, () -> services.stream()
                .noneMatch(ProcessHandle::isAlive));
    }

    private static Map<String, String> owners(Suite suite) {
        try {
            return suite.status().getJsonArray("roles").stream()
                    .map(io.vertx.core.json.JsonObject.class::cast)
                    .filter(row -> row.getString("owner") != null)
                    // A pool's ledger may be the other admission service's.
                    .filter(row -> !row.getString("role").startsWith("ledger/"))
                    .collect(java.util.stream.Collectors.toMap(
                            row -> row.getString("role"), row -> row.getString("owner")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ready(Suite suite) {
        try {
            var status = suite.status();
            return java.util.stream.Stream.concat(
                            status.getJsonArray("routers").stream(), status.getJsonArray("services").stream())
                    .map(io.vertx.core.json.JsonObject.class::cast)
                    .allMatch(row -> row.getBoolean("ready"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
