package dev.penstock.enginesim;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;

/** Simulated engines that share a JVM. They have no threads of their own: the Vert.x event loops run them. With KV events, ZeroMQ has two for the fleet. */
public final class EngineFleet {
    private static final Logger LOG = LoggerFactory.getLogger(EngineFleet.class);

    private final List<EngineSim> engines;
    private final @Nullable HttpServer control;
    private final @Nullable ZContext zmq;

    private EngineFleet(List<EngineSim> engines, @Nullable HttpServer control, @Nullable ZContext zmq) {
        this.engines = List.copyOf(engines);
        this.control = control;
        this.zmq = zmq;
    }

    /**
     * Starts all engines; when one fails, none is left. A taken port is replaced by a free one, unless the options are
     * strict: then it fails with {@link PortTakenException}.
     */
    public static Future<EngineFleet> start(Vertx vertx, EngineFleetOptions options) {
        return start(vertx, options, FleetLayout.of(options.profile()));
    }

    /** The same, of engines that differ: the layout's profiles count, and not that of the options. */
    public static Future<EngineFleet> start(Vertx vertx, EngineFleetOptions options, FleetLayout layout) {
        List<EngineSim> engines = new ArrayList<>();
        List<EngineSim> onWantedPorts = new ArrayList<>();
        List<EngineSim> onAnyPorts = new ArrayList<>();
        ZContext zmq = options.kvEvents() == null ? null : new ZContext();
        for (int number = 0; number < options.count(); number++) {
            int wanted = options.basePort() == 0 ? 0 : options.basePort() + number;
            boolean taken = wanted != 0 && Ports.taken(options.host(), wanted);
            if (taken && options.strictPorts()) {
                close(zmq);
                return Future.failedFuture(new PortTakenException(options.host(), wanted));
            }
            EngineSim engine = EngineWiring.engine(vertx, options, layout, number, taken ? 0 : wanted, zmq);
            engines.add(engine);
            (taken || wanted == 0 ? onAnyPorts : onWantedPorts).add(engine);
        }
        // Those with a port of their own first, or one of the others might get it.
        return startAll(onWantedPorts)
                .compose(_ -> startAll(onAnyPorts))
                .compose(_ -> startControl(vertx, options, engines, zmq))
                .recover(failure -> stopAll(engines).transform(_ -> {
                    close(zmq);
                    return Future.failedFuture(failure);
                }));
    }

    private static Future<EngineFleet> startControl(
            Vertx vertx, EngineFleetOptions options, List<EngineSim> engines, @Nullable ZContext zmq) {
        warnOfMovedPorts(options, engines);
        if (options.controlPort() == EngineFleetOptions.NO_CONTROL) {
            return Future.succeededFuture(new EngineFleet(engines, null, zmq));
        }
        return new ControlServer(engines)
                .listen(vertx, options.host(), options.controlPort())
                .map(server -> new EngineFleet(engines, server, zmq));
    }

    private static void warnOfMovedPorts(EngineFleetOptions options, List<EngineSim> engines) {
        for (int number = 0; options.basePort() != 0 && number < engines.size(); number++) {
            EngineSim engine = engines.get(number);
            if (engine.port() != options.basePort() + number) {
                LOG.atWarn()
                        .addKeyValue("engine", engine.name())
                        .addKeyValue("wanted", options.basePort() + number)
                        .addKeyValue("port", engine.port())
                        .log("port was taken");
            }
        }
    }

    /** In order of their numbers. */
    public List<EngineSim> engines() {
        return engines;
    }

    /**
     * The engine of that name.
     *
     * @param name as {@code engine-3}
     * @throws IllegalArgumentException when there is none of that name
     */
    public EngineSim engine(String name) {
        for (EngineSim engine : engines) {
            if (engine.name().equals(name)) {
                return engine;
            }
        }
        throw new IllegalArgumentException("unknown engine '" + name + "', expected engine-0 to "
                + engines.getLast().name());
    }

    /** Closes ports and connections at once; what runs is lost, as when engines are killed. */
    public Future<Void> close() {
        Future<Void> controlClosed = control == null ? Future.succeededFuture() : control.close();
        return controlClosed.eventually(() -> stopAll(engines)).eventually(() -> {
            close(zmq);
            return Future.succeededFuture();
        });
    }

    private static void close(@Nullable ZContext zmq) {
        if (zmq != null) {
            zmq.close();
        }
    }

    private static Future<Void> startAll(List<EngineSim> engines) {
        return Future.join(engines.stream().map(EngineSim::start).toList()).mapEmpty();
    }

    private static Future<Void> stopAll(List<EngineSim> engines) {
        return Future.join(engines.stream().map(EngineSim::stop).toList()).mapEmpty();
    }
}
