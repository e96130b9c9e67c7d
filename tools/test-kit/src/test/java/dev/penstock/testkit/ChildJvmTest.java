package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void a_child_is_killed_with_sigkill() throws Exception {
        try (ChildJvm child =
                ticking().args("a", "b").environment("PENSTOCK_WORD", "w").start()) {
            assertThat(child.awaitLine("ready", PATIENCE)).isEqualTo("ready a,b w");

            child.kill9();

            assertThat(child.isAlive()).isFalse();
            assertThat(ProcessHandle.of(child.pid()).map(ProcessHandle::isAlive).orElse(false))
                    .isFalse();
            assertThat(child.awaitExit(PATIENCE)).isEqualTo(128 + 9);
            assertThat(child.output()).contains("ready a,b w", "a word on stderr");
        }
    }

    @Test
    void a_stopped_child_goes_on_after_sigcont() throws Exception {
        try (ChildJvm child = ticking().start()) {
            child.awaitLine("tick 1", PATIENCE);

            child.sigstop();
            Await.value("state T", PATIENCE, () -> state(child), "T"::equals);
            child.sigcont();

            Await.value("not state T", PATIENCE, () -> state(child), state -> !state.equals("T"));
            child.awaitLine("tick 20", PATIENCE);
            assertThat(child.terminate(PATIENCE)).isEqualTo(128 + 15);
        }
    }

    @Test
    void a_child_that_ends_early_fails_the_wait_at_once_with_its_output() throws Exception {
        try (ChildJvm child = ticking().args("exit").start()) {
            assertThatThrownBy(() -> child.awaitLine("never said", Duration.ofMinutes(5)))
                    .hasMessageContaining("never said")
                    .hasMessageContaining("ready exit");
            assertThat(child.awaitExit(PATIENCE)).isEqualTo(3);
        }
    }

    private static ChildJvm.Builder ticking() {
        return ChildJvm.of(TickingMain.class).jvmArgs("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    }

    private static String state(ChildJvm child) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(child.pid()), "stat"));
            return stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
