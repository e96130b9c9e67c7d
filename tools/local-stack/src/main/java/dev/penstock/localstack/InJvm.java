package dev.penstock.localstack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An instance in this JVM. It can be restarted, but not killed. */
final class InJvm implements Instance {
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final ServiceKind kind;
    private final int index;
    private final @Nullable Path config;
    private final Map<String, String> settings;
    private final StatusPage.Place place;
    private @Nullable Service service;

    InJvm(ServiceKind kind, int index, @Nullable Path config, Map<String, String> settings, StatusPage.Place place) {
        this.kind = kind;
        this.index = index;
        this.config = config;
        this.settings = settings;
        this.place = place;
    }

    @Override
    public ServiceKind kind() {
        return kind;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public StatusPage.Place place() {
        return place;
    }

    @Override
    public synchronized void start() throws Exception {
        service = Service.start(name(), config, settings, kind.starter);
    }

    @Override
    public synchronized void stop(Duration grace) throws Exception {
        Service running = service;
        service = null;
        if (running != null) running.stop(grace);
    }

    @Override
    public void fault(String verb) throws Exception {
        if (verb.equals("cont")) return; // nothing is ever stopped here
        if (!verb.equals("restart")) {
            throw new IllegalArgumentException("verb: '" + verb + "', expected restart: " + name()
                    + " shares its JVM with the rest; ./penstock up --processes can do more");
        }
        stop(GRACE);
        start();
    }

    @Override
    public double cpuCores() {
        return -1;
    }
}
