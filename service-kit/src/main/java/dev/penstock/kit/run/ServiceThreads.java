package dev.penstock.kit.run;

import org.jspecify.annotations.Nullable;

/**
 * The threads of one service, where several live in one JVM: a thread group, which threads hand on to those they start.
 * Log lines are given the service's name by it.
 */
public final class ServiceThreads extends ThreadGroup {
    public ServiceThreads(String service) {
        super(service);
    }

    /** The service this thread works for, or null when it is nobody's. */
    public static @Nullable String serviceOf(Thread thread) {
        for (ThreadGroup group = thread.getThreadGroup(); group != null; group = group.getParent()) {
            if (group instanceof ServiceThreads service) return service.getName();
        }
        return null;
    }
}
