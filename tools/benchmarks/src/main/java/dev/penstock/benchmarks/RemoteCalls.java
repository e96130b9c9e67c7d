package dev.penstock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Counts what this thread reads from and writes to sockets and files while something runs, by the JVM's own events. */
final class RemoteCalls {
    private static final Set<String> EVENTS =
            Set.of("jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite");

    private RemoteCalls() {}

    static long during(Runnable work) {
        try (Recording recording = new Recording()) {
            for (String each : EVENTS)
                recording.enable(each).withThreshold(Duration.ZERO).withoutStackTrace();
            recording.start();
            work.run();
            recording.stop();
            return counted(recording);
        } catch (IOException e) {
            throw new UncheckedIOException("the recording could not be read", e);
        }
    }

    private static long counted(Recording recording) throws IOException {
        Path file = Files.createTempFile("penstock-calls", ".jfr");
        try {
            recording.dump(file);
            List<RecordedEvent> events = RecordingFile.readAllEvents(file);
            long self = Thread.currentThread().threadId();
            return events.stream()
                    .filter(event -> EVENTS.contains(event.getEventType().getName()))
                    .filter(event ->
                            event.getThread() != null && event.getThread().getJavaThreadId() == self)
                    .count();
        } finally {
            Files.delete(file);
        }
    }
}
