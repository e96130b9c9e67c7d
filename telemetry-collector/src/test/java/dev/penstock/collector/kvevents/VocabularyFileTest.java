package dev.penstock.collector.kvevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.kvevents.Vocabulary;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VocabularyFileTest {
    @TempDir
    Path directory;

    @Test
    void tokens_of_a_byte_level_vocabulary_are_bytes_and_added_ones_are_what_they_say() throws Exception {
        Vocabulary vocabulary = VocabularyFile.read(file("""
            {"version": "1.0", "truncation": {"a": [1, {"b": 2}]},
             "added_tokens": [{"id": 7, "content": "<|end|>", "special": true}, {"id": 8, "content": "→"}],
             "decoder": {"type": "ByteLevel"},
             "model": {"type": "BPE", "dropout": null,
               "vocab": {"a": 0, "Ġthe": 1, "Ċ": 2, "Ã¤": 3, "!": 4, "Ń": 5, "<|end|>": 7},
               "merges": [["a", "b"], "c d"]}}
            """));

        assertThat(text(vocabulary, 0, 1, 2, 3, 4, 7, 8)).isEqualTo("a the\nä!<|end|>→");
        byte[] softHyphen = new byte[vocabulary.longest()];
        assertThat(vocabulary.write(5, softHyphen, 0)).isEqualTo(1);
        assertThat(softHyphen[0]).isEqualTo((byte) 0xAD);
        assertThat(vocabulary.write(6, softHyphen, 0)).isEqualTo(Vocabulary.UNKNOWN);
        assertThat(vocabulary.write(9, softHyphen, 0)).isEqualTo(Vocabulary.UNKNOWN);
        assertThat(vocabulary.write(-1, softHyphen, 0)).isEqualTo(Vocabulary.UNKNOWN);
    }

    @Test
    void the_token_before_each_prompt_is_told_apart() throws Exception {
        Vocabulary vocabulary = VocabularyFile.read(file("""
            {"added_tokens": [{"id": 1, "content": "<|begin|>"}, {"id": 2, "content": "<|end|>"}],
             "post_processor": {"type": "Sequence", "processors": [
               {"type": "ByteLevel", "use_regex": true},
               {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                           {"SpecialToken": {"id": "<|end|>", "type_id": 0}}],
                "pair": [], "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [1]}}}]},
             "model": {"type": "BPE", "vocab": {"a": 0}}}
            """));
        Vocabulary without = VocabularyFile.read(file("""
            {"added_tokens": [{"id": 1, "content": "<|end|>"}],
             "post_processor": {"type": "TemplateProcessing",
               "single": [{"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "<|end|>"}}]},
             "model": {"vocab": {"a": 0}}}
            """));

        assertThat(vocabulary.begins(1)).isTrue();
        assertThat(vocabulary.begins(2)).isFalse();
        assertThat(text(vocabulary, 1, 0)).isEqualTo("<|begin|>a");
        assertThat(without.begins(1)).isFalse();
        assertThat(without.begins(-1)).isFalse();
    }

    @Test
    void what_is_no_such_file_is_named() throws Exception {
        assertThatThrownBy(() -> VocabularyFile.read(directory.resolve("none.json")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.json");
        assertThatThrownBy(() -> VocabularyFile.read(file("[]"))).hasMessageContaining("expected a JSON object");
        assertThatThrownBy(() -> VocabularyFile.read(file("{}"))).hasMessageContaining("no model.vocab");
        assertThatThrownBy(() -> VocabularyFile.read(file("{\"model\": {\"type\": \"Unigram\"}}")))
                .hasMessageContaining("model.type: Unigram, expected BPE");
        assertThatThrownBy(() -> VocabularyFile.read(file("{\"model\": {\"vocab\": {\"a\": 2000000}}}")))
                .hasMessageContaining("token id 2000000, expected 0 to 1999999");
        assertThatThrownBy(() -> VocabularyFile.read(file("{\"model\": {\"vocab\": {\"▁the\": 1}}}")))
                .hasMessageContaining("expected the vocabulary of a byte-level BPE");
    }

    @Test
    void models_in_mode_events_have_a_vocabulary() throws Exception {
        List<ModelConfig> models = ModelConfig.readAll(
                ConfigTree.of("models: [{name: a, prefix: {mode: events}}, {name: b, prefix: {mode: approximate}}]"));

        Vocabularies vocabularies = Vocabularies.read(models);

        assertThat(vocabularies.of("a")).isSameAs(Vocabulary.BYTES4);
        assertThat(vocabularies.of("b")).isNull();
        List<ModelConfig> wrong =
                ModelConfig.readAll(ConfigTree.of("models: [{name: a, prefix: {mode: events, vocabulary: nowhere}}]"));
        assertThatThrownBy(() -> Vocabularies.read(wrong))
                .hasMessageContaining("models a: prefix.vocabulary: nowhere, expected bytes4 or a readable");
    }

    private Path file(String json) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "tokenizer", ".json"), json);
    }

    private static String text(Vocabulary vocabulary, int... tokens) {
        byte[] bytes = new byte[100];
        int at = 0;
        for (int token : tokens) at += vocabulary.write(token, bytes, at);
        return new String(Arrays.copyOf(bytes, at), StandardCharsets.UTF_8);
    }
}
