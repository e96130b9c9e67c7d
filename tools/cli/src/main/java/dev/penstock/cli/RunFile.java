package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code run.json}: what runs, as the stack wrote it. A file whose process is gone is stale, and is removed. */
record RunFile(
        long pid,
        boolean ready,
        @Nullable String startedAt,
        @Nullable String controlUrl,
        @Nullable List<Endpoint> routers,
        @Nullable List<Endpoint> services,
        @Nullable List<Endpoint> engines,
        @Nullable String kafka,
        @Nullable String redis,
        @Nullable String model) {

    private static final String NAME = "run.json";
    /** A process that began later than this after the file's date has only inherited the number. */
    private static final Duration START_SLACK = Duration.ofSeconds(10);

    record Endpoint(String name, String url, @Nullable String managementUrl) {}

    /** The running stack, or exit 3 with what to do. */
    static RunFile require(DataDir data) {
        return find(data)
                .orElseThrow(() -> CliFailure.environment("Penstock is not running (no live "
                        + data.path().resolve(NAME) + ").\nStart it: ./penstock up"));
    }

    static Optional<RunFile> find(DataDir data) {
        Path file = data.path().resolve(NAME);
        RunFile run;
        try {
            run = Json.MAPPER.readValue(Files.readString(file), RunFile.class);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw CliFailure.environment("Cannot read " + file + ": " + e.getMessage());
        }
        if (run.process().isPresent()) return Optional.of(run);
        remove(file);
        return Optional.empty();
    }

    /** The live process, unless its number was given to another one since. */
    Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isSameProcess);
    }

    List<String> routerUrls() {
        return urls(routers);
    }

    List<String> engineUrls() {
        return urls(engines);
    }

    private boolean isSameProcess(ProcessHandle handle) {
        Instant began = handle.info().startInstant().orElse(null);
        if (began == null || startedAt == null) return true;
        try {
            return !began.isAfter(Instant.parse(startedAt).plus(START_SLACK));
        } catch (DateTimeParseException e) {
            return true;
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw CliFailure.environment("Cannot remove the stale " + file + ": " + e);
        }
    }

    private static List<String> urls(@Nullable List<Endpoint> endpoints) {
        return endpoints == null
                ? List.of()
                : endpoints.stream().map(Endpoint::url).toList();
    }
}
