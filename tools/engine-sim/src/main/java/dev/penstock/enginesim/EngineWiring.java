package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.Gate;
import dev.penstock.enginesim.engine.Kept;
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
import dev.penstock.enginesim.metrics.LoraInfo;
import dev.penstock.enginesim.metrics.MetricDialect;
import dev.penstock.enginesim.metrics.MetricPage;
import dev.penstock.enginesim.metrics.ProcessMetrics;
import dev.penstock.enginesim.metrics.SglangHttpMetrics;
import dev.penstock.enginesim.metrics.SglangMetrics;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.LoadedAdapters;
import dev.penstock.enginesim.openai.Lots;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.OpenAnswers;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.sglang.SglangFront;
import dev.penstock.enginesim.step.KvListener;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.StepObserver;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.vllm.VllmFront;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    private final Kept kept;
    private final LoraInfo loraInfo = new LoraInfo(this::wallClock);
    private final LoadedAdapters adapters = new LoadedAdapters(loraInfo);
    private final ServedModels models;
    private final Profile profile;
    private final int ranks;
    private final @Nullable KvEventPublisher kvEvents;

    private EngineWiring(
            Vertx vertx,
            EngineFleetOptions options,
            FleetLayout layout,
            int number,
            @Nullable KvEventPublisher kvEvents) {
        this.vertx = vertx;
        this.options = options;
        this.profile = layout.profileOf(number);
        this.ranks = layout.ranks();
        this.random = new SplittableRandom(options.seed() * 1_000_003 + number);
        this.models = new ServedModels(options.models(), profile.maxModelLen(), profile.use());
        this.kvEvents = kvEvents;
        this.kept = new Kept(options.videoMillis());
    }

    /**
     * One engine.
     *
     * @param port 0 = any free one
     * @param zmq for its KV events; null = it publishes none
     */
    static EngineSim engine(
            Vertx vertx, EngineFleetOptions options, FleetLayout layout, int number, int port, @Nullable ZContext zmq) {
        EngineKind kind = options.kind().of(number);
        KvEventOptions events = options.kvEvents();
        KvEventPublisher publisher = zmq == null || events == null
                ? null
                : new KvEventPublisher(vertx, zmq, options.host(), number, events, kind == EngineKind.SGLANG);
        EngineWiring wiring = new EngineWiring(vertx, options, layout, number, publisher);
        EngineSim.Parts parts = kind == EngineKind.SGLANG ? wiring.sglang() : wiring.vllm();
        return new EngineSim(
                vertx,
                new EngineSim.Identity("engine-" + number, options.host(), wiring.profile.name(), kind),
                port,
                parts);
    }

    private EngineSim.Parts vllm() {
        List<EngineMetrics> metrics = new ArrayList<>();
        List<StepSimulator> simulators = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            metrics.add(new EngineMetrics(profile, options.dialect(), models.first()));
            simulators.add(simulator(metrics.get(rank)));
        }
        HttpMetrics http = new HttpMetrics(Endpoint.meteredPaths());
        StepLoop loop = new StepLoop(vertx, simulators);
        loop.whenStepped(adapters::note);
        List<EngineMetrics.Rank> shown = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            int rank = i;
            shown.add(new EngineMetrics.Rank(
                    metrics.get(rank),
                    new Gauges(
                            () -> loop.running(rank),
                            () -> loop.waiting(rank),
                            () -> loop.kvUsage(rank),
                            faults::sleepLevel)));
        }
        ProcessMetrics process = new ProcessMetrics();
        MetricsRoute route = new MetricsRoute(
                EngineMetrics.page(options.dialect(), shown, process, http, loraInfo),
                () -> EngineMetrics.page(MetricDialect.OLD, shown, process, http, loraInfo),
                options.nameFilter() ? MetricsRoute.Mode.FILTERED : MetricsRoute.Mode.MULTI_PROCESS);
        VllmFront front = new VllmFront(engineParts(loop, http), models, route);
        Runnable resetCounters = () -> {
            metrics.forEach(EngineMetrics::reset);
            http.reset();
            adapters.reset();
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
                                resetCounters,
                                kept,
                                kvEvents)),
                requests,
                bodies,
                kept,
                new KeepAlive(vertx, nanoClock),
                kvEvents);
    }

    private EngineSim.Parts sglang() {
        List<SglangMetrics> metrics = new ArrayList<>();
        List<StepSimulator> simulators = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            LateGauges late = new LateGauges();
            metrics.add(new SglangMetrics(
                    profile, models.first(), new Gauges(late::running, late::waiting, late::kvUsage), nanoClock));
            late.simulator = simulator(metrics.get(rank));
            simulators.add(late.simulator);
        }
        SglangHttpMetrics http = new SglangHttpMetrics(Endpoint.meteredPaths());
        StepLoop loop = new StepLoop(vertx, simulators);
        MetricPage page = SglangMetrics.page(metrics, http);
        MetricsRoute route = new MetricsRoute(page, () -> page, MetricsRoute.Mode.MOUNTED);
        SglangFront front = new SglangFront(
                engineParts(loop, http), models, profile, metrics, options.sglangMetrics() ? route : null);
        Runnable resetCounters = () -> {
            metrics.forEach(SglangMetrics::reset);
            http.reset();
            adapters.reset();
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
                                resetCounters,
                                kept,
                                kvEvents)),
                requests,
                bodies,
                kept,
                new KeepAlive(vertx, nanoClock),
                kvEvents);
    }

    private StepSimulator simulator(StepObserver observer) {
        // Each rank of vLLM's publishes at a port of its own; those that are simulated do not publish.
        KvListener listener = kvEvents == null || ranks > 1 ? KvListener.NONE : kvEvents;
        return new StepSimulator(profile, nanoClock, random.split(), observer, listener);
    }

    private EngineParts engineParts(StepLoop loop, HttpObserver http) {
        return new EngineParts(
                vertx,
                loop,
                adapters,
                requests,
                bodies,
                kept,
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
