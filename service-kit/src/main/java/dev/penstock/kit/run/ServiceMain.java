package dev.penstock.kit.run;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.PrintOnly;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.PortTakenException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main of every service: reads, starts, and stops in order when it is told to. Exit codes: 0 stopped as asked, 1
 * failed, 2 configuration wrong, 3 port taken.
 */
public final class ServiceMain {
    static final int STOPPED = 0;
    static final int FAILED = 1;
    static final int CONFIG_WRONG = 2;
    static final int PORT_TAKEN = 3;

    /** Environment variable that names this instance. */
    private static final String NAME = "PENSTOCK_NAME";

    /** Environment variable: the process without which this one is not wanted. */
    private static final String PARENT = "PENSTOCK_PARENT";

    /** Not an exit code: the service runs. */
    static final int RUNNING = -1;

    private static final Duration CLOSE = Duration.ofSeconds(2);
    /** What a service closes once its requests are over: readers, membership, spans; each has its own limit of 1.5 to 2 s. */
    private static final Duration ORDERLY = Duration.ofSeconds(6);

    private ServiceMain() {}

    /** Returns at once; when the service runs its event loops keep the JVM alive, otherwise the JVM exits. */
    public static void run(String service, String[] args, Starter starter) {
        Logging.configure();
        endWithParent(System.getenv(PARENT));
        Thread main = new Thread(
                new ServiceThreads(System.getenv().getOrDefault(NAME, service)),
                () -> launchAndExit(service, args, starter),
                "main");
        main.start();
    }

    /** A stack that was killed must not leave services behind that join the next one. */
    private static void endWithParent(@Nullable String pid) {
        if (pid == null || !pid.matches("[0-9]{1,18}")) return;
        ProcessHandle.of(Long.parseLong(pid))
                .ifPresentOrElse(
                        parent -> parent.onExit()
                                .thenRun(() -> Runtime.getRuntime().halt(FAILED)),
                        () -> Runtime.getRuntime().halt(FAILED));
    }

    private static void launchAndExit(String service, String[] args, Starter starter) {
        int code = launch(service, args, System.getenv(), starter);
        if (code != RUNNING) System.exit(code);
    }

    static int launch(String service, String[] args, Map<String, String> env, Starter starter) {
        Arguments arguments = Arguments.parse(args);
        if (arguments.problem() != null) {
            System.err.println(arguments.problem() + "; usage: " + service + " " + Arguments.USAGE);
            return CONFIG_WRONG;
        }
        ConfigTree config = ConfigTree.load(arguments.config(), env);
        if (arguments.printConfig()) config.printOnly();
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Vertx vertx = ServiceVertx.create(0, meters);
        Incarnation incarnation = Incarnation.fresh(defaultName(service, env));
        int code = start(service, new ServiceContext(vertx, config, meters, incarnation), starter);
        if (code != RUNNING) close(vertx);
        return code;
    }

    private static int start(String service, ServiceContext context, Starter starter) {
        Logger log = LoggerFactory.getLogger(ServiceMain.class);
        try {
            RunningService running = starter.start(context)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> stop(service, context.vertx(), running), "penstock-shutdown"));
            log.atInfo()
                    .addKeyValue(LogKeys.SERVICE, service)
                    .addKeyValue(LogKeys.INCARNATION, context.incarnation().memberId())
                    .log("running: {}", running.describe());
            return RUNNING;
        } catch (ExecutionException e) {
            return explain(service, context.config(), e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return FAILED;
        } catch (ConfigException | RuntimeException | Error e) {
            return explain(service, context.config(), e);
        }
    }

    private static int explain(String service, ConfigTree config, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PrintOnly) {
                System.out.println(config.effective().toPrettyString());
                return STOPPED;
            }
            if (cause instanceof ConfigException wrong) {
                System.err.println(service + " does not start, its configuration is wrong:");
                wrong.problems().forEach(problem -> System.err.println("  " + problem));
                return CONFIG_WRONG;
            }
            if (cause instanceof PortTakenException taken) {
                System.err.println(service + " does not start: " + taken.getMessage());
                return PORT_TAKEN;
            }
        }
        LoggerFactory.getLogger(ServiceMain.class)
                .atError()
                .setCause(failure)
                .addKeyValue(LogKeys.SERVICE, service)
                .log("does not start");
        return FAILED;
    }

    /** Halts, because a JVM that ends by a signal would say 143 after an orderly stop. */
    private static void stop(String service, Vertx vertx, RunningService running) {
        Logger log = LoggerFactory.getLogger(ServiceMain.class);
        int code = STOPPED;
        Duration grace = running.grace();
        log.atInfo().addKeyValue(LogKeys.SERVICE, service).log("stopping");
        try {
            running.shutdown(grace)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(grace.plus(ORDERLY).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RuntimeException failure) {
            log.atError()
                    .setCause(failure)
                    .addKeyValue(LogKeys.SERVICE, service)
                    .log("did not stop in order");
            code = FAILED;
        } catch (InterruptedException e) {
            code = FAILED;
        }
        close(vertx);
        log.atInfo().addKeyValue(LogKeys.SERVICE, service).log("stopped");
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }

    private static void close(Vertx vertx) {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LoggerFactory.getLogger(ServiceMain.class).debug("Vert.x did not close in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@code PENSTOCK_NAME}, or one that is unique on its host: two processes there must not count as one. */
    private static String defaultName(String service, Map<String, String> env) {
        String given = env.get(NAME);
        if (given != null && !given.isBlank()) return given;
        return service + "-" + env.getOrDefault("HOSTNAME", "local") + "-"
                + ProcessHandle.current().pid();
    }
}
