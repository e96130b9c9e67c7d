package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PrometheusTextProperties {
    @Property(seed = "1")
    void what_is_rendered_is_read(@ForAll double value, @ForAll String label, @ForAll boolean crlf) {
        PrometheusText text = new PrometheusText(List.of(Family.sum("m").where("l", label)));
        String escaped = label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        byte[] page = ("other 1\nm{a=\"}\",l=\"" + escaped + "\"} " + value + (crlf ? "\r\n" : "\n"))
                .getBytes(StandardCharsets.UTF_8);

        text.scan(page, page.length, true);

        assertThat(text.garbageLines()).isZero();
        assertThat(text.seen(0)).isTrue();
        if (Double.isFinite(value)) assertThat(text.value(0)).isEqualTo(value);
        else assertThat(text.value(0)).isNaN();
    }

    @Property(seed = "1")
    void numbers_are_what_java_says_they_are(
            @ForAll @DoubleRange(min = -1e15, max = 1e15) double value,
            @ForAll @IntRange(min = 0, max = 12) int places) {
        PrometheusText text = new PrometheusText(List.of(Family.sum("m")));
        String shown = new java.math.BigDecimal(value)
                .setScale(places, java.math.RoundingMode.HALF_UP)
                .toPlainString();
        byte[] page = ("m " + shown).getBytes(StandardCharsets.UTF_8);

        text.scan(page, page.length, true);

        assertThat(text.value(0)).isEqualTo(Double.parseDouble(shown));
    }

    @Property(seed = "1")
    void no_cut_and_no_bytes_throw(
            @ForAll @Size(max = 40) byte[] noise,
            @ForAll @IntRange(min = 0, max = 200) int cut,
            @ForAll boolean whole) {
        PrometheusText text = new PrometheusText(List.of(Family.max("m").where("l", "x"), Family.sum("n")));
        String line = "m{l=\"x\\\"\\\\\",pid=\"1\"} 1e+3 12 # {a=\"b\"} 1\nn -0.5E-3\n# HELP n\n";
        byte[] good = (line + line).getBytes(StandardCharsets.UTF_8);
        int at = Math.min(cut, good.length);
        byte[] page = new byte[at + noise.length];
        System.arraycopy(good, 0, page, 0, at);
        System.arraycopy(noise, 0, page, at, noise.length);

        text.scan(page, page.length, whole);

        assertThat(text.garbageLines()).isBetween(0, page.length);
    }
}
