package dev.penstock.enginesim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultTest {
    @ParameterizedTest
    @CsvSource({"refuse,", "error,503", "stall,", "truncate,7", "drop-done,", "abort,", "freeze-metrics,", "slow,2.5"})
    void a_fault_reads_back_what_it_prints(String verb, String arg) {
        List<String> args = arg == null ? List.of() : List.of(arg);

        Fault fault = Fault.parse(verb, args);

        assertThat(fault.verb()).isEqualTo(verb);
        assertThat(fault.args()).isEqualTo(args);
    }

    @Test
    void truncation_has_a_default_and_a_lie_is_an_error() {
        assertThat(Fault.parse("truncate", List.of())).isEqualTo(new Fault.Truncate(3));
        assertThat(Fault.parse("lie", List.of())).isEqualTo(new Fault.ErrorStatus(500));
    }

    @Test
    void mistakes_are_answered_with_what_was_expected() {
        assertThatThrownBy(() -> Fault.parse("explode", List.of()))
                .hasMessageStartingWith("unknown fault 'explode', expected one of: refuse, error CODE");
        assertThatThrownBy(() -> Fault.parse("error", List.of()))
                .hasMessage("error: expected a status such as 503, got ''");
        assertThatThrownBy(() -> Fault.parse("error", List.of("200")))
                .hasMessage("error: expected a status from 400 to 599, got 200");
        assertThatThrownBy(() -> Fault.parse("slow", List.of("0")))
                .hasMessage("slow: expected a factor above 0, up to 10000, got 0.0");
        assertThatThrownBy(() -> Fault.parse("stall", List.of("5"))).hasMessage("stall: expected no argument, got 5");
    }
}
