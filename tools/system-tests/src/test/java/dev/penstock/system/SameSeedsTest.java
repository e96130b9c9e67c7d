package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A build says the same of the same sources twice. To search further, raise tries and change the seed by hand. */
class SameSeedsTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern UNSEEDED = Pattern.compile("@Property(?!\\([^)]*\\bseed = )\\b");
    private static final Pattern RANDOM = Pattern.compile("new (Splittable)?Random\\(\\)");

    @Test
    void every_property_has_a_seed() throws IOException {
        assertThat(testsWith(UNSEEDED)).as("a @Property without a seed").isEmpty();
    }

    @Test
    void no_test_draws_from_an_unseeded_generator() throws IOException {
        assertThat(testsWith(RANDOM)).as("new Random() without a seed").isEmpty();
    }

    private static List<Path> testsWith(Pattern pattern) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/test/java/"))
                    .filter(file -> !file.endsWith("SameSeedsTest.java"))
                    .filter(file -> pattern.matcher(text(file)).find())
                    .map(ROOT::relativize)
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
