package dev.penstock.kit.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The {@code data} part: where a service keeps its lock file and copies. */
public record DataConfig(Path directory) {
    private static final String DEFAULT = ".penstock";

    public static DataConfig read(ConfigTree config) {
        ConfigSection data = config.section("data");
        String directory = data.string("directory", DEFAULT);
        try {
            return new DataConfig(Path.of(directory));
        } catch (InvalidPathException e) {
            data.problem("directory", directory, "a path");
            return new DataConfig(Path.of(DEFAULT));
        }
    }
}
