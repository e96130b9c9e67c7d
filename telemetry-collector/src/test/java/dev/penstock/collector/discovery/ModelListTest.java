package dev.penstock.collector.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.EngineKind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ModelListTest {
    @Test
    void adapters_are_those_that_name_a_parent() {
        ModelList list = parse("""
            {"object":"list","data":[{"id":"sql","root":"/l","parent":"base"},{"id":"base","parent":null},
             {"id":"alias"},{"id":"chat","parent":"base"}]}\
            """);

        assertThat(list.models()).containsExactly("base", "alias");
        assertThat(list.adapters()).containsExactly("chat", "sql");
        assertThat(list.kind()).isEqualTo(EngineKind.VLLM);
        assertThat(list.problem()).isNull();
    }

    @Test
    void what_is_no_list_says_why() {
        assertThat(parse("<html>").problem()).startsWith("no JSON: ");
        assertThat(parse("").problem()).isEqualTo("no list \"data\" in the answer");
        assertThat(parse("[]").problem()).isEqualTo("no list \"data\" in the answer");
        assertThat(parse("{\"data\":{\"id\":\"x\"}}").problem()).isEqualTo("no list \"data\" in the answer");
        assertThat(parse("{\"data\":[]}").problem()).isEqualTo("no models in the answer");
        assertThat(parse("[".repeat(5_000)).models()).isEmpty();
    }

    @Test
    void a_hostile_answer_is_cut_and_said_to_be() {
        StringBuilder body = new StringBuilder("{\"data\":[{\"id\":\"base\"}");
        for (int i = 0; i < 1_000; i++) body.append(",{\"id\":\"a").append(i).append("\",\"parent\":\"base\"}");
        ModelList many = parse(body.append("]}").toString());
        assertThat(many.adapters()).hasSize(ModelRules.MOST_ADAPTERS);
        assertThat(many.problem()).isEqualTo("more than 256 adapters, the rest is left out");

        ModelList odd = parse("{\"data\":[{\"id\":\"base\"},{\"id\":\"" + "x".repeat(5_000)
                + "\",\"parent\":\"base\"},{\"id\":\"a\\nb\",\"parent\":\"base\"},{\"parent\":\"base\"},7]}");
        assertThat(odd.models()).containsExactly("base");
        assertThat(odd.adapters()).isEmpty();
        assertThat(odd.problem()).contains("left out, expected a name of 1 to 256 characters");
    }

    private static ModelList parse(String body) {
        return ModelList.parse(body.getBytes(StandardCharsets.UTF_8));
    }
}
