package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** An engine to which an {@link EngineFault} happens. */
final class FaultyEngine implements Engine {
    private final Engine engine;
    private final EngineFault fault;
    private final EventQueue events;
    private final RandomGenerator random;
    private final Consumer<SimRequest> completed;
    private final Consumer<SimRequest> failed;
    /** In a black hole. */
    private final List<SimRequest> held = new ArrayList<>();

    /** @param model the engine as it is without the fault, by whom it tells of what it has completed */
    FaultyEngine(
            Function<Consumer<SimRequest>, Engine> model,
            EngineFault fault,
            EventQueue events,
            RandomGenerator random,
            Consumer<SimRequest> completed,
            Consumer<SimRequest> failed) {
        this.engine = model.apply(this::ended);
        this.fault = fault;
        this.events = events;
        this.random = random;
        this.completed = completed;
        this.failed = failed;
        events.at(fault.atNanos(), this::begin);
        events.at(fault.untilNanos(), this::over);
    }

    private void begin() {
        switch (fault) {
            case EngineFault.Crash crash -> engine.giveUp(request -> true).forEach(failed);
            case EngineFault.Blackhole hole -> held.addAll(engine.giveUp(request -> true));
            case EngineFault.Gray gray -> {}
        }
    }

    private void over() {
        List<SimRequest> lost = List.copyOf(held);
        held.clear();
        lost.forEach(failed);
    }

    private void ended(SimRequest request) {
        (request.breaksOff ? failed : completed).accept(request);
    }

    private boolean faulty() {
        return fault.lastsAt(events.nowNanos());
    }

    @Override
    public int running() {
        return engine.running();
    }

    @Override
    public int queued() {
        return engine.queued() + held.size();
    }

    @Override
    public long heartbeat() {
        return engine.heartbeat();
    }

    @Override
    public boolean admit(SimRequest request) {
        if (!faulty()) return engine.admit(request);
        return switch (fault) {
            case EngineFault.Crash crash -> throw new IllegalStateException("replica " + crash.number() + " is down");
            case EngineFault.Blackhole hole -> held.add(request);
            case EngineFault.Gray gray -> {
                if (random.nextDouble() < gray.share()) request.breakOff(random.nextDouble());
                yield engine.admit(request);
            }
        };
    }

    @Override
    public List<SimRequest> giveUp(Predicate<SimRequest> which) {
        List<SimRequest> given = new ArrayList<>(engine.giveUp(which));
        held.removeIf(request -> request.givenUpTo(given, which));
        return given;
    }

    @Override
    public boolean connectable() {
        return !(fault instanceof EngineFault.Crash && faulty());
    }

    @Override
    public boolean scrapable() {
        return switch (fault) {
            case EngineFault.Crash crash -> !faulty();
            case EngineFault.Blackhole hole -> hole.scrapable() || !faulty();
            case EngineFault.Gray gray -> true;
        };
    }
}
