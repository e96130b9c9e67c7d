package dev.penstock.localstack;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.management.PortTakenException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** {@code penstock up}: runs the suite in this JVM until it is told to stop. */
public final class LocalStackMain {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final int ENVIRONMENT = 3;

    private LocalStackMain() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Returns the exit code: 0 stopped as told, 1 failed, 2 wrong use, 3 the environment (a port is taken). */
    public static int run(String[] args) {
        StackOptions options = new StackOptions();
        try {
            new CommandLine(options).parseArgs(args);
        } catch (CommandLine.ParameterException e) {
            return say(WRONG_USE, e.getMessage());
        }
        String problem = options.problem();
        if (problem != null) return say(WRONG_USE, problem);
        // Before the first logger: logback.xml writes below it.
        System.setProperty("penstock.data", options.data.toString());
        long startedNanos = System.nanoTime();
        CountDownLatch told = new CountDownLatch(1);
        try (LocalStack stack =
                LocalStack.start(options, part -> System.err.println("starting " + part), told::countDown)) {
            CountDownLatch closed = new CountDownLatch(1);
            Thread hook = new Thread(() -> {
                told.countDown();
                awaitQuietly(closed);
            });
            Runtime.getRuntime().addShutdownHook(hook);
            System.err.printf("ready in %.1f s%n", (System.nanoTime() - startedNanos) / 1e9);
            for (StatusPage.Place router : stack.routers())
                System.err.println("  " + router.name() + "  " + router.url());
            System.err.println("try: curl -N " + stack.routers().getFirst().url()
                    + "/v1/chat/completions -H 'content-type: application/json' -d '{\"model\":\"" + options.model
                    + "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}'");
            awaitQuietly(told);
            System.err.println("stopping");
            stack.close();
            closed.countDown();
            return OK;
        } catch (PortTakenException e) {
            return say(ENVIRONMENT, e.getMessage());
        } catch (ConfigException e) {
            return say(WRONG_USE, e.getMessage());
        } catch (Exception e) {
            e.printStackTrace();
            return say(FAILED, String.valueOf(e.getMessage()));
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int say(int code, @Nullable String message) {
        System.err.println("penstock up: " + message);
        return code;
    }
}
