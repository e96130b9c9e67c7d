package dev.penstock.localstack;

import dev.penstock.enginesim.EngineFleet;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.testkit.infra.TcpFaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Breaks things on demand: engines, Kafka, Redis, services. Blocking; called from workers. */
final class FaultDesk {
    private static final int ENGINE_SECONDS = 10;

    private final @Nullable EngineFleet engines;
    private final StateServers servers;
    private final List<Instance> instances;
    private final RoleBoard roles;

    FaultDesk(@Nullable EngineFleet engines, StateServers servers, List<Instance> instances, RoleBoard roles) {
        this.engines = engines;
        this.servers = servers;
        this.instances = instances;
        this.roles = roles;
    }

    void apply(String target, String verb, List<String> args) throws Exception {
        switch (target) {
            case "kafka" -> server(verb, args, servers.kafkaProxy, servers.kafka::stop, servers.kafka::start);
            case "redis" -> server(verb, args, servers.redisProxy, servers.redis::stop, servers.redis::start);
            default -> {
                Instance instance = instance(target);
                if (instance != null) instance.fault(verb);
                else Service.await(engine(target).fault(Fault.parse(verb, args)), ENGINE_SECONDS);
            }
        }
    }

    void clear(String target) throws Exception {
        switch (target) {
            case "kafka" -> {
                servers.kafkaProxy.pass();
                if (!servers.kafka.isRunning()) servers.kafka.start();
            }
            case "redis" -> {
                servers.redisProxy.pass();
                if (!servers.redis.isRunning()) servers.redis.start();
            }
            default -> {
                Instance instance = instance(target);
                if (instance != null) instance.fault("cont");
                else Service.await(engine(target).clearFault(), ENGINE_SECONDS);
            }
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void server(String verb, List<String> args, TcpFaultProxy proxy, Action stop, Action start)
            throws Exception {
        switch (verb) {
            case "stop" -> stop.run();
            case "start" -> start.run();
            case "freeze" -> proxy.freeze();
            case "delay" -> proxy.delay(delay(args));
            default ->
                throw new IllegalArgumentException(
                        "verb: '" + verb + "', expected one of stop, start, delay T, freeze, clear");
        }
    }

    private static Duration delay(List<String> args) {
        if (args.size() != 1 || !args.getFirst().matches("[0-9]+(ms|s)")) {
            throw new IllegalArgumentException("delay: " + args + ", expected a duration like 300ms");
        }
        String text = args.getFirst();
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }

    /** By name, or by kind: then the one that owns the role, else the first. */
    private @Nullable Instance instance(String target) {
        Instance first = null;
        for (Instance instance : instances) {
            if (instance.name().equals(target)) return instance;
            if (!instance.kind().label().equals(target)) continue;
            if (instance.name().equals(roles.owner(instance.kind().role))) return instance;
            if (first == null) first = instance;
        }
        return first;
    }

    private EngineSim engine(String target) {
        if (engines != null) {
            for (EngineSim engine : engines.engines()) {
                if (engine.name().equals(target)) return engine;
            }
        }
        String names = instances.stream().map(Instance::name).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("target: '" + target + "', expected a simulated engine ("
                + (engines == null
                        ? "none run here"
                        : "engine-0 to engine-" + (engines.engines().size() - 1))
                + "), kafka, redis or one of " + names);
    }
}
