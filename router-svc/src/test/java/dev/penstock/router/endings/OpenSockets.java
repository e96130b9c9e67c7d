package dev.penstock.router.endings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Sockets that this process has open, as Linux tells them. */
final class OpenSockets {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private OpenSockets() {}

    static long count() {
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            return all.filter(OpenSockets::isSocket).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}
