package dev.penstock.kit.registry;

import java.io.IOException;
import java.nio.file.Path;

/** This process may not hold slots under its name. */
public final class HolderLockException extends IOException {
    HolderLockException(Path file, String problem) {
        super("lock file " + file + ": " + problem);
    }
}
