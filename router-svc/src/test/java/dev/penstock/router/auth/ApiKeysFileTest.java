package dev.penstock.router.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ApiKeysFileTest {
    private static final String HASH = "0123456789abcdef".repeat(4);

    @Test
    void no_keys_are_keys_too() {
        assertThat(faults("keys: []")).isEmpty();
    }

    @Test
    void upper_case_digits_are_the_same_hash() {
        Faults faults = new Faults();
        ApiKeys keys =
                ApiKeysFile.parse("keys: [{tenant: a, sha256: '" + HASH.toUpperCase(Locale.ROOT) + "'}]", faults);

        assertThat(faults.list()).isEmpty();
        assertThat(keys.find(KeyHash.parse(HASH))).isNotNull();
        assertThat(keys.tenants()).containsExactly("a");
    }

    @Test
    void another_shape_is_refused() {
        assertThat(faults("")).hasSize(1);
        assertThat(faults("null")).hasSize(1);
        assertThat(faults("[]")).hasSize(1);
        assertThat(faults("keys:")).hasSize(1);
        assertThat(faults("keys: {}")).hasSize(1);
        assertThat(faults("keys: []\nmore: 1")).hasSize(1);
        assertThat(faults("keys: [text]"))
                .containsExactly("keys[0] is a text of 4 characters, expected a map with tenant and sha256");
    }

    @Test
    void what_is_not_yaml_is_told_with_its_line() {
        assertThat(faults("keys:\n  - {tenant: a, sha256: '" + HASH + "'\n  - x"))
                .singleElement()
                .asString()
                .startsWith("line ");
        assertThat(faults("keys: []\nkeys: []")).singleElement().asString().startsWith("line 2 is not YAML, or names");
    }

    @Test
    void a_restriction_that_says_nothing_is_refused() {
        for (String more :
                List.of("models: ", "models: []", "models: llama", "models: [1]", "models: ['']", "models: [a, a]")) {
            assertThat(faults("keys:\n- tenant: a\n  sha256: '" + HASH + "'\n  " + more))
                    .as(more)
                    .singleElement()
                    .asString()
                    .startsWith("keys[0].models is ");
        }
        for (String more :
                List.of("expires: ", "expires: never", "expires: 2027-02-30", "expires: 2027", "expires: [1]")) {
            assertThat(faults("keys:\n- tenant: a\n  sha256: '" + HASH + "'\n  " + more))
                    .as(more)
                    .singleElement()
                    .asString()
                    .startsWith("keys[0].expires is ");
        }
        assertThat(faults("keys:\n- tenant: a\n  sha256: '" + HASH + "'\n  model: [x]"))
                .containsExactly("keys[0] is a map with an unknown field, expected tenant, sha256, models, expires");
    }

    @Test
    void one_key_cannot_be_of_two_entries() {
        String entry = "{tenant: a, sha256: '" + HASH + "'}";

        assertThat(faults("keys: [" + entry + ", " + entry + "]"))
                .singleElement()
                .asString()
                .startsWith("keys[1].sha256 is that of an earlier");
    }

    @Test
    void names_that_mislead_are_refused() {
        for (String tenant :
                List.of("''", "other", "psk_abc", "'a b'", "'a{}'", "-a", "'a\"b'", "12", "a" + "b".repeat(128))) {
            assertThat(faults("keys: [{tenant: " + tenant + ", sha256: '" + HASH + "'}]"))
                    .as(tenant)
                    .singleElement()
                    .asString()
                    .startsWith("keys[0].tenant is ");
        }
    }

    @Test
    void a_file_that_is_wrong_everywhere_is_told_in_twenty_lines() {
        assertThat(faults("keys: [" + "1,".repeat(1000) + "1]")).hasSize(20);
    }

    private static List<String> faults(String yaml) {
        Faults faults = new Faults();
        ApiKeysFile.parse(yaml, faults);
        return faults.list().stream().map(Faults.Fault::toString).toList();
    }
}
