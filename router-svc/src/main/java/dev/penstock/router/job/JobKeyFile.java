package dev.penstock.router.job;

import dev.penstock.kit.config.ConfigTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The key that all routers have from a file: its bytes as they are, since a key need be no text. */
public final class JobKeyFile {
    private static final int MOST_BYTES = 64 << 10;
    private static final String EXPECTED =
            "a file that can be read, of " + JobKeys.LEAST_BYTES + " to " + MOST_BYTES + " bytes";

    private JobKeyFile() {}

    /**
     * Before {@link ConfigTree#finish()}, which reports what is wrong with it. Blocking.
     *
     * @return null without a file
     */
    public static byte @Nullable [] read(@Nullable Path file, ConfigTree config) {
        if (file == null) return null;
        try {
            long size = Files.size(file);
            if (size >= JobKeys.LEAST_BYTES && size <= MOST_BYTES) return Files.readAllBytes(file);
            config.section("security").problem("jobKeyFile", file + ": " + size + " bytes", EXPECTED);
        } catch (IOException e) {
            config.section("security")
                    .problem("jobKeyFile", file + ": " + e.getClass().getSimpleName(), EXPECTED);
        }
        return null;
    }
}
