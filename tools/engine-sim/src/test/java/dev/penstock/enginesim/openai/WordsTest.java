package dev.penstock.enginesim.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WordsTest {
    private final Words words = new Words(1);

    @Test
    void text_depends_on_seed_prompt_and_choice_alone() {
        String text = words.text(words.key("a prompt", 0), 20);

        assertThat(text).isEqualTo(new Words(1).text(new Words(1).key("a prompt", 0), 20));
        assertThat(text).isNotEqualTo(words.text(words.key("another", 0), 20));
        assertThat(text).isNotEqualTo(words.text(words.key("a prompt", 1), 20));
        assertThat(text).isNotEqualTo(new Words(2).text(new Words(2).key("a prompt", 0), 20));
    }

    @Test
    void a_token_is_a_word() {
        assertThat(words.text(words.key("p", 0), 7).split(" ")).hasSize(7);
    }

    @Test
    void now_and_then_a_word_has_bytes_beyond_ascii() {
        String text = words.text(words.key("p", 0), 200);

        int beyondAscii = 0;
        for (String word : text.split(" ")) {
            beyondAscii += word.getBytes(StandardCharsets.UTF_8).length > word.length() ? 1 : 0;
        }
        assertThat(beyondAscii).isBetween(10, 60);
    }
}
