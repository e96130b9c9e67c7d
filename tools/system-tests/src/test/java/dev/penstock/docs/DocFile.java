package dev.penstock.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of this repository, below {@code docs/} unless said otherwise. */
record DocFile(Path path) {
    static DocFile named(String name) {
        return ofRepository("docs/" + name);
    }

    /** @param path from the repository's root */
    static DocFile ofRepository(String path) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("penstock"))) folder = folder.getParent();
        if (folder == null) throw new IllegalStateException("no repository above the working directory");
        return new DocFile(folder.resolve(path));
    }

    String text() throws IOException {
        return Files.exists(path) ? Files.readString(path) : "";
    }

    void write(String text) throws IOException {
        Files.writeString(path, text);
    }
}
