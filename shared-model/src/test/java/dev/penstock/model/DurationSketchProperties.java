package dev.penstock.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class DurationSketchProperties {
    @Property(seed = "1")
    void a_value_lies_in_its_bucket_and_is_off_by_an_eighth_at_most(
            @ForAll @LongRange(min = 0, max = 4_000_000_000L) long micros) {
        long upper = DurationSketch.upperMicros(DurationSketch.bucketOf(micros));

        assertThat(upper).isGreaterThan(micros);
        assertThat(upper - micros).isLessThanOrEqualTo(Math.max(1, micros / 8 + 1));
    }

    @Property(seed = "1")
    void buckets_rise_with_values(
            @ForAll @LongRange(min = 0, max = 4_000_000_000L) long a,
            @ForAll @LongRange(min = 0, max = 4_000_000_000L) long b) {
        if (a <= b) assertThat(DurationSketch.bucketOf(a)).isLessThanOrEqualTo(DurationSketch.bucketOf(b));
    }
}
