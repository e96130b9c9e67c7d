package dev.penstock.kit.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HolderLockTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    @Test
    void one_process_has_it_until_it_is_killed_and_the_next_one_proves_that() throws Exception {
        try (ChildJvm child = ChildJvm.of(HoldingProcess.class)
                .args(directory.toString(), "router-0")
                .start()) {
            String[] held = child.awaitLine("holds ", SOON).split(" ", 3);
            Path file = directory.resolve("holder-router-0.lock");
            assertThatThrownBy(() -> HolderLock.take(directory, "router-0"))
                    .isInstanceOf(HolderLockException.class)
                    .hasMessage("lock file " + file
                            + ": another process holds it: a name is used by one process at a time");
            child.sigstop();
            assertThatThrownBy(() -> HolderLock.take(directory, "router-0")).isInstanceOf(HolderLockException.class);

            child.kill9();

            try (HolderLock successor = HolderLock.take(directory, "router-0")) {
                assertThat(successor.identity()).hasToString(held[2]);
                assertThat(successor.lockedNanos()).isGreaterThan(Long.parseLong(held[1]));
                assertThat(successor.file()).isEqualTo(file);
            }
        }
    }

    @Test
    void the_same_process_takes_it_once_and_its_refusal_keeps_the_lock() throws Exception {
        try (HolderLock lock = HolderLock.take(directory, "router-0");
                HolderLock other = HolderLock.take(directory, "router-1")) {
            assertThat(other.identity()).isNotEqualTo(lock.identity());
            assertThatThrownBy(() -> HolderLock.take(directory, "router-0"))
                    .isInstanceOf(HolderLockException.class)
                    .hasMessageEndingWith("this process holds it already");

            try (ChildJvm child = ChildJvm.of(HoldingProcess.class)
                    .args(directory.toString(), "router-0")
                    .start()) {
                assertThat(child.awaitExit(SOON)).isNotZero();
                assertThat(child.output()).contains("another process holds it");
            }
        }
        try (HolderLock again = HolderLock.take(directory, "router-0")) {
            assertThat(again.file()).exists();
        }
    }

    @Test
    void to_let_go_twice_does_not_let_go_of_the_next_ones() throws IOException {
        HolderLock first = HolderLock.take(directory, "router-0");
        first.close();
        try (HolderLock second = HolderLock.take(directory, "router-0")) {
            first.close();

            assertThatThrownBy(() -> HolderLock.take(directory, "router-0")).isInstanceOf(HolderLockException.class);
            assertThat(second.file()).exists();
        }
    }

    @Test
    void a_file_that_was_made_anew_is_another_lock() throws IOException {
        try (HolderLock lock = HolderLock.take(directory, "router-0")) {
            Files.delete(lock.file());

            try (HolderLock other = HolderLock.take(directory, "router-0")) {
                assertThat(other.identity()).isNotEqualTo(lock.identity());
            }
        }
    }
}
