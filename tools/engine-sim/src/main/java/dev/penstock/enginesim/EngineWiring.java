package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.SentBodies;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.metrics.EngineMetrics;
import dev.penstock.enginesim.metrics.Gauges;
import dev.penstock.enginesim.metrics.HttpMetrics;
import dev.penstock.enginesim.metrics.ProcessMetrics;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.vllm.MetricsRoute;
import dev.penstock.enginesim.vllm.ServedModels;
import dev.penstock.enginesim.vllm.VllmFront;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** The parts of one engine. */
final class EngineWiring {
    private EngineWiring() {}

    /** @param port 0 = any free one */
    static EngineSim engine(Vertx vertx, EngineFleetOptions options, int number, int port) {
        LongSupplier nanoClock = System::nanoTime;
        SplittableRandom random = new SplittableRandom(options.seed() * 1_000_003 + number);
        ServedModels models =
                new ServedModels(options.models(), options.profile().maxModelLen());

        EngineMetrics metrics = new EngineMetrics(options.profile(), options.dialect(), models.first());
        StepSimulator simulator = new StepSimulator(options.profile(), nanoClock, random.split(), metrics);
        StepLoop loop = new StepLoop(vertx, simulator);
        HttpMetrics http = new HttpMetrics(VllmFront.countedPaths());
        MetricsRoute metricsRoute = new MetricsRoute(
                metrics.page(new Gauges(loop::running, loop::waiting, loop::kvUsage), new ProcessMetrics(), http),
                options.nameFilter());

        RequestBook requests = new RequestBook(nanoClock);
        SentBodies bodies = new SentBodies();
        FaultSwitch faults = new FaultSwitch(loop, metricsRoute);
        VllmFront front = new VllmFront(
                new VllmFront.Engine(
                        loop,
                        requests,
                        bodies,
                        http,
                        faults::current,
                        nanoClock,
                        InstantSource.system(),
                        random.split()),
                models,
                metricsRoute,
                options.seed());
        return new EngineSim(
                vertx,
                new EngineSim.Identity(
                        "engine-" + number, options.host(), options.profile().name()),
                port,
                new EngineSim.Parts(front, loop, faults, requests, bodies, new KeepAlive(vertx, nanoClock)));
    }
}
