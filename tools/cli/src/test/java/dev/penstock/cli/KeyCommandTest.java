package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyCommandTest {
    @Test
    void a_new_key_comes_with_the_lines_that_admit_it() {
        Run run = Run.of("key", "new", "--tenant", "acme");

        assertThat(run.exitCode()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).matches("psk_[A-Za-z0-9_-]{43}");
        assertThat(lines.get(1)).isEqualTo("  - tenant: 'acme'");
        String hash =
                Run.withInput(lines.getFirst() + "\n", "key", "hash").out().strip();
        assertThat(lines.getLast()).isEqualTo("    sha256: '" + hash + "'");
        assertThat(run.err()).doesNotContain(lines.getFirst());
    }

    @Test
    void keys_are_never_the_same() {
        assertThat(Run.of("key", "new").out()).isNotEqualTo(Run.of("key", "new").out());
    }

    @Test
    void the_hash_is_that_of_the_line_without_its_end() {
        String abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n";

        assertThat(Run.withInput("abc", "key", "hash").out()).isEqualTo(abc);
        assertThat(Run.withInput("abc\n", "key", "hash").out()).isEqualTo(abc);
        assertThat(Run.withInput("abc\r\n", "key", "hash").out()).isEqualTo(abc);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "two words", "two\nlines", "caf\u00e9", " abc"})
    void what_is_no_key_is_refused_and_not_repeated(String input) {
        Run run = Run.withInput(input, "key", "hash");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        if (!input.isBlank()) assertThat(run.err()).isNotBlank().doesNotContain(input);
    }

    @Test
    void a_key_is_at_most_what_a_header_may_hold() {
        assertThat(Run.withInput("k".repeat(8192) + "\r\n", "key", "hash").exitCode())
                .isZero();
        assertThat(Run.withInput("k".repeat(8193), "key", "hash").exitCode()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"key", "key new --tenant a{b}", "key new --tenant other", "key new --tenant psk_x", "key old"})
    void wrong_use_exits_with_two(String line) {
        Run run = Run.of(line.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isNotBlank();
    }
}
