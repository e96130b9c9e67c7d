package dev.penstock.kit.registry;

import java.io.IOException;
import java.nio.file.Path;

/** Takes a holder's lock, says so, and keeps it until its input ends: {@code DIRECTORY NAME}. */
final class HoldingProcess {
    private HoldingProcess() {}

    public static void main(String[] args) throws IOException {
        HolderLock lock = HolderLock.take(Path.of(args[0]), args[1]);
        System.out.println("holds " + lock.lockedNanos() + " " + lock.identity());
        while (System.in.read() >= 0) continue;
    }
}
