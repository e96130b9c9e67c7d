package dev.penstock.router.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;

/** Many clients at once, each on a virtual thread. */
public final class Together {
    private Together() {}

    /** Runs {@code count} tasks, so many of them at once, and gives their results in order; the first failure is thrown. */
    public static <T> List<T> run(int count, int atOnce, IntFunction<Callable<T>> task) throws Exception {
        Semaphore places = new Semaphore(atOnce);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Callable<T> each = task.apply(i);
                running.add(threads.submit(() -> {
                    places.acquire();
                    try {
                        return each.call();
                    } finally {
                        places.release();
                    }
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : running) results.add(each.get());
            return results;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) throw error;
            throw e;
        }
    }
}
