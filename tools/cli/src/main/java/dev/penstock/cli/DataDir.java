package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The folder of a stack: run.json, logs, Kafka's data. The option that names it is in every command that needs it. */
final class DataDir {
    /** Written into folders that {@code up} made or found empty; {@code down --purge} deletes no other. */
    static final String MARKER = ".penstock-data";

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the stack (default: .penstock in the repo).")
    private @Nullable Path folder;

    Path path() {
        Path home = Path.of(System.getProperty("penstock.home", ""));
        return (folder == null ? home.resolve(".penstock") : folder)
                .toAbsolutePath()
                .normalize();
    }

    Path logs() {
        return path().resolve("logs");
    }

    void create() {
        Path path = path();
        try {
            boolean ours = !Files.exists(path) || isEmpty(path);
            Files.createDirectories(logs());
            if (ours) Files.writeString(path.resolve(MARKER), "Data of a Penstock stack; down --purge deletes it.\n");
        } catch (IOException e) {
            throw CliFailure.environment("Cannot create " + path + ": " + e);
        }
    }

    void purge() {
        Path path = path();
        if (!Files.exists(path)) return;
        if (!Files.exists(path.resolve(MARKER))) {
            throw CliFailure.wrongUse(path + " was not made by ./penstock up (no " + MARKER + " in it): not deleted.");
        }
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            throw CliFailure.environment("Cannot delete " + path + ": " + e);
        }
    }

    private static boolean isEmpty(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isEmpty();
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
            if (failure != null) throw failure;
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
