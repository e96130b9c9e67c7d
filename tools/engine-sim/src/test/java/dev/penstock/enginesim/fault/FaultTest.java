package dev.penstock.enginesim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultTest {
    @ParameterizedTest
    @CsvSource({
        "refuse,",
        "kill,",
        "sigterm,1500ms",
        "dead,5000ms",
        "starting,",
        "hang,",
        "hang-requests,",
        "reset-reused,",
        "error,503",
        "error,503 20%",
        "queue-full,",
        "queue-full,abort",
        "scaling,",
        "strict-ids,",
        "abort,",
        "truncate,7",
        "truncate,3 20%",
        "truncate,3 rst",
        "truncate,3 20% clean",
        "stream-error,0",
        "stream-error,5 50%",
        "drop-done,",
        "drop-finish,",
        "duplicate,",
        "slow-loris,3 7ms",
        "stall,",
        "orphan,",
        "slow,2.5",
        "overload,5.0 30000ms",
        "sleep,2",
        "kv-shrink,5%",
        "preempt-storm,",
        "zombies,",
        "hang-health,",
        "slow-health,500ms",
        "health,503",
        "freeze-metrics,",
        "freeze-gauges,",
        "hang-metrics,",
        "slow-metrics,90ms",
        "metrics-error,500",
        "nan-metrics,",
        "pid-metrics,",
        "old-metrics,",
        "reset-counters,",
        "clock-skew,-90000ms",
    })
    void a_fault_reads_back_what_it_prints(String verb, String arg) {
        List<String> args = arg == null ? List.of() : List.of(arg.split(" "));

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
    void words_for_shares_and_drains_are_short_for_longer_ones() {
        assertThat(Fault.parse("error-rate", List.of("20%"))).isEqualTo(new Fault.ErrorStatus(500, 20));
        assertThat(Fault.parse("oom", List.of())).isEqualTo(new Fault.ErrorStatus(500));
        assertThat(Fault.parse("truncate-rate", List.of("20%"))).isEqualTo(new Fault.Truncate(3, 20, Fault.Cut.FIN));
        assertThat(Fault.parse("truncate", List.of("20%", "rst"))).isEqualTo(new Fault.Truncate(3, 20, Fault.Cut.RST));
        assertThat(Fault.parse("drain", List.of())).isEqualTo(new Fault.Sigterm(30_000));
        assertThat(Fault.parse("sigterm", List.of())).isEqualTo(new Fault.Sigterm(0));
        assertThat(Fault.parse("slow-health", List.of("2s"))).isEqualTo(new Fault.SlowHealth(2000));
        assertThat(Fault.parse("overload", List.of())).isEqualTo(new Fault.Overload(5, 30_000));
    }

    @Test
    void every_usage_starts_with_its_verb_and_every_fault_has_one() {
        List<String> verbs =
                Fault.usages().stream().map(usage -> usage.split(" ")[0]).toList();

        assertThat(verbs).doesNotHaveDuplicates();
        for (Class<?> fault : Fault.class.getPermittedSubclasses()) {
            if (fault != Fault.None.class) {
                assertThat(verbs).anyMatch(verb -> verbOf(fault).equals(verb));
            }
        }
    }

    private static String verbOf(Class<?> fault) {
        String name =
                fault.getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(java.util.Locale.ROOT);
        return switch (name) {
            case "error-status" -> "error";
            case "health-status" -> "health";
            case "metrics-status" -> "metrics-error";
            default -> name;
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "truncate|0|truncate: expected 1 or more tokens, got 0",
                "throttle|0ms|throttle: expected 1 ms or more, got 0ms",
                "throttle|2s 0%|throttle: expected a share from 1% to 100%, got 0%",
                "truncate|3 0%|truncate: expected a share from 1% to 100%, got 0%",
                "truncate|3 101%|truncate: expected a share from 1% to 100%, got 101%",
                "truncate|3 soon|truncate: expected nothing after 3, got 'soon'",
                "error-rate|20|error-rate: expected a share such as 20%, got '20'",
                "slow-health|fast|slow-health: expected no argument, got 'fast'",
                "slow-health|-3s|slow-health: expected no argument, got '-3s'",
                "slow-metrics|3|slow-metrics: expected a time such as 500ms, got '3'",
                "clock-skew|later|clock-skew: expected a time such as 90s or -90s, got 'later'",
                "sleep|3|sleep: expected level 1 or 2, got 3",
                "kv-shrink|5|kv-shrink: expected a share such as 20%, got '5'",
                "health|200|health: expected a status from 400 to 599, got 200",
                "slow|1.2.3|slow: expected a factor such as 5, got '1.2.3'",
                "slow-loris|0|slow-loris: expected 1 or more bytes and 1 ms or more, got 0 and 20ms",
            })
    void a_wrong_argument_is_named_with_verb_and_expectation(String verb, String args, String message) {
        assertThatThrownBy(() -> Fault.parse(verb, List.of(args.split(" ")))).hasMessage(message);
    }

    @Test
    void mistakes_are_answered_with_what_was_expected() {
        assertThatThrownBy(() -> Fault.parse("explode", List.of()))
                .hasMessageStartingWith("unknown fault 'explode', expected one of: refuse, kill, sigterm [T=0s]");
        assertThatThrownBy(() -> Fault.parse("error", List.of()))
                .hasMessage("error: expected a status such as 503, got ''");
        assertThatThrownBy(() -> Fault.parse("error", List.of("200")))
                .hasMessage("error: expected a status from 400 to 599, got 200");
        assertThatThrownBy(() -> Fault.parse("slow", List.of("0")))
                .hasMessage("slow: expected a factor above 0, up to 10000, got 0.0");
        assertThatThrownBy(() -> Fault.parse("stall", List.of("5"))).hasMessage("stall: expected no argument, got '5'");
    }
}
