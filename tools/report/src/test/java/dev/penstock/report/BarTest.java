package dev.penstock.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BarTest {
    @Test
    void theOpDecides() {
        assertThat(Report.Bar.of("x", "<=", 1.5, 1.5).ok()).isTrue();
        assertThat(Report.Bar.of("x", ">", 1.5, 1.5).ok()).isFalse();
        assertThat(Report.Bar.of("x", ">=", 100, 100).ok()).isTrue();
        assertThat(Report.Bar.of("x", "==", 100, 99.999).ok()).isFalse();
        assertThat(Report.Bar.of("x", "<=", 1.5, Double.NaN).ok()).isFalse();
    }

    @Test
    void aBarThatItsBaselineMeetsTooProvesNothing() {
        Report.Bar bar = Report.Bar.of("x", "<=", 1.5, 1);

        assertThat(bar.holds()).isTrue();
        assertThat(bar.beside("full_scan", 90, true).holds()).isTrue();
        assertThat(bar.beside("full_scan", 1.4, false).holds()).isFalse();
    }
}
