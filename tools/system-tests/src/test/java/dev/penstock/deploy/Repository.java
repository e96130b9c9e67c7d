package dev.penstock.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of this repository that deploy it. */
final class Repository {
    static final Path ROOT = root();

    private Repository() {}

    static Path file(String relative) {
        return ROOT.resolve(relative);
    }

    static String text(String relative) {
        try {
            return Files.readString(file(relative));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One YAML document, its merge keys resolved. */
    @SuppressWarnings("unchecked")
    static Map<String, Object> yaml(String text) {
        return (Map<String, Object>) parser().load(text);
    }

    static List<Object> documents(String text) {
        return StreamSupport.stream(parser().loadAll(text).spliterator(), false)
                .filter(each -> each != null)
                .toList();
    }

    private static Yaml parser() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options));
    }

    /** Tests run in their module's folder, or in the root. */
    private static Path root() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("compose.yaml"))) return at;
        }
        throw new IllegalStateException(
                "no compose.yaml here or above " + Path.of("").toAbsolutePath());
    }
}
