package dev.penstock.system;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code penstock up} in a process of its own, and what these tests ask of it and of engines. Killed on close. */
final class Suite implements AutoCloseable {
    static final String MODEL = "sim/llama-3-8b";

    /** For an answer that takes a fraction of a second, on a machine that does other things too. */
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    /** For processes that live for seconds and share few cores: optimising would cost more than it gives. */
    private static final String[] QUICK_JVM = {"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};

    /** Router k listens at the first one's port plus k times this, and is managed one port above. */
    private static final int PORTS_PER_ROUTER = 100;

    private final ChildJvm process;
    private final List<Integer> routerPorts;
    private final Path runFile;

    private Suite(ChildJvm process, List<Integer> routerPorts, Path runFile) {
        this.process = process;
        this.routerPorts = routerPorts;
        this.runFile = runFile;
    }

    /** Returns once every router may send to every engine. */
    static Suite start(Path data, int routers, int engines, String... more) throws IOException {
        // Router k has two ports at 100 k behind the first, the collectors of processes one at 100 k behind theirs.
        List<Integer> ports = List.of(FreePorts.base(1, 100, 101, 200, 201), FreePorts.base(100));
        List<String> args = new ArrayList<>(List.of("--routers", "" + routers, "--data", data.toString()));
        args.addAll(List.of("--port", "" + ports.get(0), "--collector-port", "" + ports.get(1)));
        args.addAll(Arrays.asList(more));
        ChildJvm process = ChildJvm.of("dev.penstock.localstack.LocalStackMain")
                .jvmArgs(QUICK_JVM)
                .args(args.toArray(String[]::new))
                .start();
        List<Integer> routerPorts = IntStream.range(0, routers)
                .mapToObj(k -> ports.get(0) + PORTS_PER_ROUTER * k)
                .toList();
        Suite suite = new Suite(process, routerPorts, data.resolve("run.json"));
        try {
            Await.until("every router may send to every engine", START_TIMEOUT, suite.routable(engines));
            return suite;
        } catch (AssertionError e) {
            suite.close();
            throw new AssertionError(process.output(), e);
        }
    }

    private BooleanSupplier routable(int engines) {
        return () -> {
            // Ends the wait at once where a port was taken or the start failed.
            if (!process.isAlive()) Thread.currentThread().interrupt();
            return Files.exists(runFile)
                    && routerPorts.stream()
                            .allMatch(router -> replicas(router).stream()
                                            .filter(replica -> replica.getBoolean("candidate"))
                                            .count()
                                    == engines);
        };
    }

    /** An engine in a process of its own, which takes a while to listen; the suite asks until it does. */
    static ChildJvm startEngine(int port, String model) throws IOException {
        return ChildJvm.of("dev.penstock.enginesim.EngineSimMain")
                .jvmArgs(QUICK_JVM)
                .args("--port", "" + port, "--model", model)
                .start();
    }

    static void awaitReady(ChildJvm engine) {
        engine.awaitLine("ready at", START_TIMEOUT);
    }

    List<Integer> routerPorts() {
        return routerPorts;
    }

    /** The ports of the simulated engines, by name. */
    Map<String, Integer> enginePorts() throws IOException {
        return new JsonObject(Files.readString(runFile))
                .getJsonArray("engines").stream()
                        .map(JsonObject.class::cast)
                        .collect(Collectors.toMap(
                                engine -> engine.getString("name"),
                                engine ->
                                        Integer.parseInt(engine.getString("url").replaceAll(".*:", ""))));
    }

    /** What {@code penstock status --json} shows. */
    JsonObject status() throws IOException {
        return new JsonObject(get(controlPort(), "/status"));
    }

    /** The JVMs that this one started: its services. A command line as long as theirs can't be read, the program can. */
    List<ProcessHandle> processes() {
        return ProcessHandle.of(process.pid())
                .orElseThrow()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/java"))
                .toList();
    }

    /** Who owns the role, or null. */
    @Nullable
    String owner(String role) throws IOException {
        return status().getJsonArray("roles").stream()
                .map(JsonObject.class::cast)
                .filter(row -> row.getString("role").equals(role))
                .map(row -> row.getString("owner"))
                .findFirst()
                .orElse(null);
    }

    /** What {@code penstock fault TARGET VERB ARGS} does. */
    void fault(String target, String verb, String... args) throws IOException {
        JsonObject body = new JsonObject().put("target", target).put("verb", verb);
        post("/fault", body.put("args", new io.vertx.core.json.JsonArray(List.of(args))));
    }

    void clear(String target) throws IOException {
        post("/fault/clear", new JsonObject().put("target", target));
    }

    private void post(String path, JsonObject body) throws IOException {
        String text = body.encode();
        RawHttp.Response answer = RawHttp.exchange(
                controlPort(),
                "POST " + path + " HTTP/1.1\r\nhost: penstock\r\ncontent-type: application/json\r\ncontent-length: "
                        + text.length() + "\r\n\r\n" + text,
                ANSWER_TIMEOUT);
        if (answer.status() != 200) throw new AssertionError(path + " " + text + ": " + answer.bodyText());
    }

    private int controlPort() throws IOException {
        return portOf(new JsonObject(Files.readString(runFile)).getString("controlUrl"));
    }

    /** The port of a service's REST interface, by instance name. */
    int servicePort(String name) throws IOException {
        return new JsonObject(Files.readString(runFile))
                .getJsonArray("services").stream()
                        .map(JsonObject.class::cast)
                        .filter(service -> service.getString("name").equals(name))
                        .map(service -> portOf(service.getString("url")))
                        .findFirst()
                        .orElseThrow();
    }

    private static int portOf(String url) {
        return Integer.parseInt(url.replaceAll(".*:", ""));
    }

    /** The rows of a router's {@code /debug/view}. */
    static List<JsonObject> replicas(int routerPort) {
        return new JsonObject(get(routerPort + 1, "/debug/view"))
                .getJsonArray("replicas").stream().map(JsonObject.class::cast).toList();
    }

    /** What the router says of the last attempt of a request that it answered. */
    static JsonObject decision(int routerPort, RawHttp.Response answer) {
        var attempts = new JsonObject(get(routerPort + 1, "/debug/decisions/" + answer.header("x-request-id")))
                .getJsonArray("attempts");
        return attempts.getJsonObject(attempts.size() - 1);
    }

    /** The in-flight gauges on a router's metrics page; it may have none. */
    static List<String> inflightGauges(int routerPort) {
        return get(routerPort + 1, "/metrics")
                .lines()
                .filter(line -> line.startsWith("penstock_router_inflight"))
                .toList();
    }

    static JsonObject engineState(int enginePort) {
        return new JsonObject(get(enginePort, "/sim/state"));
    }

    static String get(int port, String path) {
        try {
            return RawHttp.exchange(port, "GET " + path + " HTTP/1.1\r\nhost: penstock\r\n\r\n", ANSWER_TIMEOUT)
                    .bodyText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of a chat; {@code headers} are whole lines. */
    static String chat(boolean stream, int maxTokens, String... headers) {
        return chat(MODEL, "hi", stream, maxTokens, headers);
    }

    /** The same with a prompt that needs no escapes. */
    static String chat(String model, String prompt, boolean stream, int maxTokens, String... headers) {
        String body = "{\"model\":\"" + model + "\",\"stream\":" + stream + ",\"max_tokens\":" + maxTokens
                + ",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt + "\"}]}";
        return post("/v1/chat/completions", body, headers);
    }

    static String post(String path, String body, String... headers) {
        StringBuilder request = new StringBuilder("POST " + path + " HTTP/1.1\r\nhost: penstock\r\n");
        for (String header : headers) request.append(header).append("\r\n");
        return request.append("content-type: application/json\r\ncontent-length: ")
                .append(body.getBytes(StandardCharsets.UTF_8).length)
                .append("\r\n\r\n")
                .append(body)
                .toString();
    }

    /** The value of a metric of a page, by its name and labels; 0 when it is not there. */
    static double metric(int port, String nameAndLabels) {
        return get(port, "/metrics")
                .lines()
                .filter(line -> line.startsWith(nameAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(nameAndLabels.length() + 1)))
                .sum();
    }

    /** What was started before a start that failed is closed too: those not started are null. */
    static void close(@Nullable AutoCloseable... parts) throws Exception {
        for (AutoCloseable part : parts) {
            if (part != null) part.close();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
