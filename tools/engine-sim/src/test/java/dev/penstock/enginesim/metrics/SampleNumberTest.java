package dev.penstock.enginesim.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleNumberTest {
    @ParameterizedTest
    @CsvSource({
        "3, 3.0",
        "0, 0.0",
        "999999, 999999.0",
        "1000000, 1e+06",
        "1500000, 1.5e+06",
        "8128902, 8.128902e+06",
        "123456789012, 1.23456789012e+11",
        "1234567.25, 1.23456725e+06",
        "0.25, 0.25",
        "123.456, 123.456",
        "0.0001, 0.0001",
        "0.00001, 1e-05",
        "0.0000123, 1.23e-05",
        "1e16, 1e+16",
        "1.5e17, 1.5e+17",
        "-12345678, -12345678.0",
        "-2.5, -2.5",
        "1e100, 1e+100",
    })
    void numbers_look_as_python_prints_them(double value, String text) {
        assertThat(printed(value)).isEqualTo(text);
    }

    @Test
    void what_is_no_number_has_a_name() {
        assertThat(printed(Double.NaN)).isEqualTo("NaN");
        assertThat(printed(Double.POSITIVE_INFINITY)).isEqualTo("+Inf");
        assertThat(printed(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
        assertThat(printed(-0.0)).isEqualTo("-0.0");
    }

    private static String printed(double value) {
        StringBuilder out = new StringBuilder();
        SampleNumber.append(out, value);
        return out.toString();
    }
}
