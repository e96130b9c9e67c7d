package dev.penstock.testkit;

import java.util.concurrent.locks.LockSupport;

/** The child of {@link ChildJvmTest}: says it is ready, then counts on stdout until it is ended. */
final class TickingMain {
    public static void main(String[] args) {
        System.err.println("a word on stderr");
        System.out.println("ready " + String.join(",", args) + " " + System.getenv("PENSTOCK_WORD"));
        if (args.length > 0 && args[0].equals("exit")) System.exit(3);
        for (int tick = 0; ; tick++) {
            System.out.println("tick " + tick);
            LockSupport.parkNanos(20_000_000);
        }
    }
}
