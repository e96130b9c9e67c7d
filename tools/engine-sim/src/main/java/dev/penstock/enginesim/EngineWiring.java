package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.Gate;
import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.kvevents.KvEventOptions;
import dev.penstock.enginesim.kvevents.KvEventPublisher;
import dev.penstock.enginesim.metrics.EngineMetrics;
import dev.penstock.enginesim.metrics.Gauges;
import dev.penstock.enginesim.metrics.HttpMetrics;
import dev.penstock.enginesim.metrics.HttpObserver;
import dev.penstock.enginesim.metrics.MetricDialect;
import dev.penstock.enginesim.metrics.MetricPage;
import dev.penstock.enginesim.metrics.ProcessMetrics;
import dev.penstock.enginesim.metrics.SglangHttpMetrics;
import dev.penstock.enginesim.metrics.SglangMetrics;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.Lots;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.OpenAnswers;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.sglang.SglangFront;
import dev.penstock.enginesim.step.KvListener;
import dev.penstock.enginesim.step.StepObserver;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.vllm.VllmFront;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.zeromq.ZContext;

/** The parts of one engine: what both kinds have, and then the front end and the metrics of the one it is. */
final class EngineWiring {
    private final Vertx vertx;
    private final EngineFleetOptions options;
    private final SplittableRandom random;
    private final LongSupplier nanoClock = System::nanoTime;
    private final FaultState faults = new FaultState();
    private final OpenAnswers open = new OpenAnswers();
    private final Gate gate = new Gate();
    private final RequestBook requests = new RequestBook(nanoClock);
    private final SentBodies bodies = new SentBodies();
    private final ServedModels models;
    private final @Nullable KvEventPublisher kvEvents;

    private EngineWiring(Vertx vertx, EngineFleetOptions options, int number, @Nullable KvEventPublisher kvEvents) {
        this.vertx = vertx;
        this.options = options;
        this.random = new SplittableRandom(options.seed() * 1_000_003 + number);
        this.models = new ServedModels(
                options.models(),
                options.profile().maxModelLen(),
                options.profile().use());
        this.kvEvents = kvEvents;
    }

    /**
     * One engine.
     *
     * @param port 0 = any free one
     * @param zmq for its KV events; null = it publishes none
     */
    static EngineSim engine(Vertx vertx, EngineFleetOptions options, int number, int port, @Nullable ZContext zmq) {
        EngineKind kind = options.kind().of(number);
        KvEventOptions events = options.kvEvents();
        KvEventPublisher publisher = zmq == null || events == null
                ? null
                : new KvEventPublisher(vertx, zmq, options.host(), number, events, kind == EngineKind.SGLANG);
        EngineWiring wiring = new EngineWiring(vertx, options, number, publisher);
        EngineSim.Parts parts = kind == EngineKind.SGLANG ? wiring.sglang() : wiring.vllm();
        return new EngineSim(
                vertx,
                new EngineSim.Identity(
                        "engine-" + number, options.host(), options.profile().name(), kind),
                port,
                parts);
    }

    private EngineSim.Parts vllm() {
        EngineMetrics metrics = new EngineMetrics(options.profile(), options.dialect(), models.first());
        HttpMetrics http = new HttpMetrics(Endpoint.paths());
        StepLoop loop = loop(metrics);
        Gauges gauges = new Gauges(loop::running, loop::waiting, loop::kvUsage, faults::sleepLevel);
        ProcessMetrics process = new ProcessMetrics();
        MetricsRoute route = new MetricsRoute(
                metrics.page(gauges, process, http),
                () -> metrics.page(MetricDialect.OLD, gauges, process, http),
                options.nameFilter() ? MetricsRoute.Mode.FILTERED : MetricsRoute.Mode.MULTI_PROCESS);
        VllmFront front = new VllmFront(engineParts(loop, http), models, route);
        Runnable resetCounters = () -> {
            metrics.reset();
            http.reset();
        };
        return new EngineSim.Parts(
                front,
                loop,
                new FaultSwitch(
                        faults,
                        new FaultSwitch.Machinery(
                                vertx,
                                EngineKind.VLLM,
                                loop,
                                route,
                                open,
                                gate,
                                requests,
                                front.dialect(),
                                resetCounters,
                                kvEvents)),
                requests,
                bodies,
                new KeepAlive(vertx, nanoClock),
                kvEvents);
    }

    private EngineSim.Parts sglang() {
        LateGauges late = new LateGauges();
        SglangMetrics metrics = new SglangMetrics(
                options.profile(), models.first(), new Gauges(late::running, late::waiting, late::kvUsage), nanoClock);
        SglangHttpMetrics http = new SglangHttpMetrics(Endpoint.paths());
        StepSimulator simulator = simulator(metrics);
        late.simulator = simulator;
        StepLoop loop = new StepLoop(vertx, simulator);
        MetricPage page = metrics.page(http);
        MetricsRoute route = new MetricsRoute(page, () -> page, MetricsRoute.Mode.MOUNTED);
        SglangFront front = new SglangFront(
                engineParts(loop, http), models, options.profile(), metrics, options.sglangMetrics() ? route : null);
        Runnable resetCounters = () -> {
            metrics.reset();
            http.reset();
        };
        return new EngineSim.Parts(
                front,
                loop,
                new FaultSwitch(
                        faults,
                        new FaultSwitch.Machinery(
                                vertx,
                                EngineKind.SGLANG,
                                loop,
                                route,
                                open,
                                gate,
                                requests,
                                front.dialect(),
                                resetCounters,
                                kvEvents)),
                requests,
                bodies,
                new KeepAlive(vertx, nanoClock),
                kvEvents);
    }

    private StepLoop loop(StepObserver observer) {
        return new StepLoop(vertx, simulator(observer));
    }

    private StepSimulator simulator(StepObserver observer) {
        return new StepSimulator(
                options.profile(), nanoClock, random.split(), observer, kvEvents == null ? KvListener.NONE : kvEvents);
    }

    private EngineParts engineParts(StepLoop loop, HttpObserver http) {
        return new EngineParts(
                vertx,
                loop,
                requests,
                bodies,
                http,
                faults::current,
                open,
                gate,
                new Lots(random.split()),
                nanoClock,
                this::wallClock,
                random.split(),
                options.seed(),
                options.promptDetails(),
                options.kvEvents() != null);
    }

    private Instant wallClock() {
        Instant now = Instant.now();
        return faults.current() instanceof Fault.ClockSkew skew ? now.plusMillis(skew.millis()) : now;
    }

    /** SGLang's gauges are set inside a step, when the loop has not published yet: they ask the simulator itself. */
    private static final class LateGauges {
        private @Nullable StepSimulator simulator;

        double running() {
            return simulator == null ? 0 : simulator.running();
        }

        double waiting() {
            return simulator == null ? 0 : simulator.waiting();
        }

        double kvUsage() {
            return simulator == null ? 0 : simulator.kvUsage();
        }
    }
}
