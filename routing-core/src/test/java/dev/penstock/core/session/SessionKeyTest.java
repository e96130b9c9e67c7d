package dev.penstock.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionKeyTest {
    @Test
    void keys_never_change() {
        assertThat(SessionKey.hex(SessionKey.of("org/m", "user-1"))).isEqualTo("d75d4ad96e3d6a85");
        assertThat(SessionKey.hex(SessionKey.of("org/m", "x".repeat(300)))).isEqualTo("5f35e9bb83185329");
        assertThat(SessionKey.hex(SessionKey.of("org/m", "你\r\n"))).isEqualTo("9d90918baa5b1981");
    }

    @Test
    void text_and_its_bytes_are_one_session() throws Exception {
        Seeds.run(random -> {
            for (int i = 0; i < 10_000; i++) {
                int length = random.nextInt(40);
                StringBuilder text = new StringBuilder();
                // a surrogate in three, so that pairs and lone ones occur
                for (int c = 0; c < length; c++) {
                    text.append((char)
                            (random.nextInt(3) == 0
                                    ? 0xD800 + random.nextInt(0x800)
                                    : random.nextInt(random.nextBoolean() ? 0x80 : 0x10000)));
                }
                byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);

                assertThat(SessionKey.of("m", text)).isEqualTo(SessionKey.of("m", bytes));
            }
        });
    }

    @Test
    void part_of_an_array_is_as_the_part_alone() {
        byte[] body = "{\"user\":\"bob\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(SessionKey.of("m", body, 9, 3)).isEqualTo(SessionKey.of("m", "bob"));
    }

    @Test
    void empty_name_is_no_session() {
        assertThat(SessionKey.of("m", "")).isEqualTo(SessionKey.NONE);
        assertThat(SessionKey.of("m", new byte[0])).isEqualTo(SessionKey.NONE);
    }

    @Test
    void names_that_differ_a_little_have_keys_that_differ() {
        Set<Long> keys = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            keys.add(SessionKey.of("m", "user-" + i));
            keys.add(SessionKey.of("n", "user-" + i));
        }
        StringBuilder zeros = new StringBuilder();
        for (int i = 0; i < 100; i++) keys.add(SessionKey.of("m", zeros.append('\0')));

        assertThat(keys).hasSize(200_100).doesNotContain(SessionKey.NONE);
    }

    @Test
    void model_and_session_are_not_run_together() {
        assertThat(SessionKey.of("ab", "c")).isNotEqualTo(SessionKey.of("a", "bc"));
    }
}
