package dev.penstock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file below {@code docs/} of this repository. */
record DocFile(Path path) {
    static DocFile named(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("penstock"))) folder = folder.getParent();
        if (folder == null) throw new IllegalStateException("no repository above the working directory");
        return new DocFile(folder.resolve("docs").resolve(name));
    }

    String text() throws IOException {
        return Files.exists(path) ? Files.readString(path) : "";
    }

    void write(String text) throws IOException {
        Files.writeString(path, text);
    }
}
