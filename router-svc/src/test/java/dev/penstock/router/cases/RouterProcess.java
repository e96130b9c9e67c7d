package dev.penstock.router.cases;

import dev.penstock.router.RouterMain;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** A router in a JVM of its own, with the heap that it is given. */
final class RouterProcess implements AutoCloseable {
    private static final Duration STARTS = Duration.ofSeconds(40);

    private final ChildJvm process;
    private final int port;
    private final int management;
    private final HttpClient client = HttpClient.newHttpClient();

    private RouterProcess(ChildJvm process, int port, int management) {
        this.process = process;
        this.port = port;
        this.management = management;
    }

    /** Starts it, and waits until it is ready. */
    static RouterProcess start(CaseInfra infra, String name, String heap) throws IOException {
        List<Integer> ports = FreePorts.take(2);
        ChildJvm process = ChildJvm.of(RouterMain.class)
                .jvmArgs("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError")
                .environment("PENSTOCK__KAFKA__BOOTSTRAPSERVERS", infra.infra().bootstrapServers())
                .environment("PENSTOCK__KAFKA__REPLICATIONFACTOR", "1")
                .environment("PENSTOCK__REDIS__URL", infra.infra().redisUrl())
                .environment(
                        "PENSTOCK__DATA__DIRECTORY",
                        Files.createTempDirectory("penstock-case-").toString())
                .environment("PENSTOCK__ROUTER__NAME", "router-" + name)
                .environment("PENSTOCK__ROUTER__WARMUP", "false")
                .environment("PENSTOCK__ROUTER__PORT", String.valueOf(ports.get(0)))
                .environment("PENSTOCK__ROUTER__MANAGEMENTPORT", String.valueOf(ports.get(1)))
                .start();
        RouterProcess router = new RouterProcess(process, ports.get(0), ports.get(1));
        Await.until(
                "the process serves", STARTS, () -> router.operations("/readyz").statusCode() == 200);
        return router;
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        return process.output();
    }

    /** One answer of the management port; fails while there is none. */
    HttpResponse<String> operations(String path) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(process.output(), e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
