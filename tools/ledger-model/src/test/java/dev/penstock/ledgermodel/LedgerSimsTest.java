package dev.penstock.ledgermodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerSimsTest {
    @ParameterizedTest
    @MethodSource("dev.penstock.ledgermodel.LedgerSims#names")
    void every_bar_holds_and_its_baselines_miss_it(String name) {
        assertThat(LedgerSims.run(name, 3, false, (policy, seed, of) -> {}))
                .satisfies(report -> assertThat(report.ok()).as("%s", report).isTrue());
    }

    @Test
    void a_name_that_is_not_there_is_told_with_those_that_are() {
        assertThatThrownBy(() -> LedgerSims.run("leger", 3, false, (policy, seed, of) -> {}))
                .hasMessageContaining("'leger'")
                .hasMessageContaining("ledger");
    }
}
