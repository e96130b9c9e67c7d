package dev.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.enginesim.step.Profile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileMixTest {
    @Test
    void one_name_is_all_engines() {
        assertThat(ProfileMix.of("slow", 3).profiles()).containsExactly(Profile.SLOW, Profile.SLOW, Profile.SLOW);
        assertThat(ProfileMix.of("fast", null).profiles()).hasSize(8).containsOnly(Profile.FAST);
    }

    @Test
    void a_list_says_how_many_there_are() {
        assertThat(ProfileMix.of("fast:2, slow:1", null).profiles())
                .containsExactly(Profile.FAST, Profile.FAST, Profile.SLOW);
        assertThat(ProfileMix.of("fast:2,slow:1", 3).profiles()).hasSize(3);
        assertThat(ProfileMix.of("slow:5", null).profiles()).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        fast:4,slow:4 | 6 | --profile: 'fast:4,slow:4' is 8 engines, expected as many as --engines 6
        fast:4,slow   | 8 | --profile: 'slow' in 'fast:4,slow', expected a name and a count above 0
        fast,slow     | 8 | --profile: 'fast' in 'fast,slow', expected a name and a count above 0
        fast:0        | 8 | --profile: 'fast:0' in 'fast:0', expected a name and a count above 0
        fast:x        | 8 | --profile: 'fast:x' in 'fast:x', expected a name and a count above 0
        fast:99999    | 8 | --profile: 'fast:99999' in 'fast:99999', expected a name and a count above 0
        fast:4,       | 4 | --profile: '' in 'fast:4,', expected a name and a count above 0
        9b:4          | 4 | --profile: unknown profile '9b', expected one of: fast, slow
        9b            | 4 | --profile: unknown profile '9b', expected one of: fast, slow
        """)
    void what_does_not_add_up_is_refused(String text, int engines, String message) {
        assertThatThrownBy(() -> ProfileMix.of(text, engines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);

        StackOptions options = new StackOptions();
        options.profile = text;
        options.engines = engines;
        assertThat(options.problem()).startsWith(message);
    }

    @Test
    void the_defaults_are_eight_fast_engines() {
        StackOptions options = new StackOptions();

        assertThat(options.problem()).isNull();
        assertThat(options.mix().profiles()).hasSize(8).containsOnly(Profile.FAST);
    }
}
