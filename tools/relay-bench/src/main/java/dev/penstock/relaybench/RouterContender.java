package dev.penstock.relaybench;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The router as it is deployed: its main class, a real broker and a real Redis, settings that are defaults but for names,
 * ports and addresses.
 */
final class RouterContender implements Contender {
    private static final String MAIN = "dev.penstock.router.RouterMain";
    private static final Duration START = Duration.ofSeconds(60);
    private static final Pattern FRESH = Pattern.compile("\"freshness\"\\s*:\\s*\"FRESH\"");
    private static final Pattern INFLIGHT = Pattern.compile("(?m)^penstock_router_inflight(?:\\{.*})? ([0-9.eE+]+)$");

    private final String name;
    private final int port;
    private final int managementPort;
    private final int replicas;
    private final Child child;
    private @Nullable JvmProbe probe;

    private RouterContender(String name, int port, int managementPort, int replicas, Child child) {
        this.name = name;
        this.port = port;
        this.managementPort = managementPort;
        this.replicas = replicas;
        this.child = child;
    }

    /** Back when it is ready and has every engine for a candidate. */
    static RouterContender start(Cores cores, List<String> flags, Path folder, String name, StubFleet fleet)
            throws IOException, InterruptedException {
        RouterContender router = launch(cores, flags, folder, name, fleet);
        try {
            router.awaitReady();
        } catch (Throwable late) {
            router.child.close();
            throw late;
        }
        return router;
    }

    /** Back as soon as it says that it is ready. */
    static RouterContender launch(Cores cores, List<String> flags, Path folder, String name, StubFleet fleet)
            throws IOException, InterruptedException {
        List<Integer> ports = FreePorts.take(2);
        int port = ports.get(0);
        int management = ports.get(1);
        Path data = Files.createDirectories(folder.resolve(name));
        List<String> command = new ArrayList<>(List.of(Executables.java()));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        Map<String, String> environment = Map.of(
                "PENSTOCK_NAME", name,
                "PENSTOCK__KAFKA__BOOTSTRAPSERVERS", fleet.bootstrapServers(),
                "PENSTOCK__KAFKA__REPLICATIONFACTOR", "1",
                "PENSTOCK__REDIS__URL", fleet.redisUrl(),
                "PENSTOCK__DATA__DIRECTORY", data.toString(),
                "PENSTOCK__ROUTER__PORT", String.valueOf(port),
                "PENSTOCK__ROUTER__MANAGEMENTPORT", String.valueOf(management));
        Child child = Child.start(cores.onContender(command), environment, folder.resolve(name + ".log"));
        try {
            Await.until(name + " is ready", START, () -> {
                child.requireAlive();
                return Http.ok(management, "/readyz") && Http.accepts(port);
            });
        } catch (Throwable late) {
            child.close();
            throw late;
        }
        return new RouterContender(name, port, management, fleet.replicas(), child);
    }

    @Override
    public void awaitReady() {
        Await.until(name + " knows that all " + replicas + " engines are fresh", START, () -> {
            child.requireAlive();
            return fresh() == replicas;
        });
    }

    private long fresh() {
        return FRESH.matcher(Http.page(managementPort, "/debug/view")).results().count();
    }

    /** Requests it believes to be under way; -1 when it does not say. */
    double inflight() {
        Matcher found = INFLIGHT.matcher(Http.page(managementPort, "/metrics"));
        return found.find() ? Double.parseDouble(found.group(1)) : -1;
    }

    /** Not before it is asked for: attaching runs code in a router that is to be measured cold. */
    JvmProbe probe() throws IOException {
        JvmProbe known = probe;
        if (known == null) probe = known = JvmProbe.attach(child.handle().pid());
        return known;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Child child() {
        return child;
    }

    @Override
    public boolean jvm() {
        return true;
    }

    @Override
    public long allocatedBytes() throws IOException {
        return probe().allocatedBytes();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (probe != null) probe.close();
        child.close();
    }
}
