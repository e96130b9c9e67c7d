package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedsExtension.class)
class SeedsTest {
    @AfterEach
    void forget_the_named_seed() {
        System.clearProperty(Seeds.PROPERTY);
    }

    @Test
    void one_seed_gives_one_sequence() {
        assertThat(Seeds.of(42).random().nextLong())
                .isEqualTo(Seeds.of(42).random().nextLong());
        assertThat(Seeds.of(42).random().nextLong())
                .isNotEqualTo(Seeds.of(43).random().nextLong());
    }

    @Test
    void the_system_property_names_the_seed() {
        System.setProperty(Seeds.PROPERTY, "-77");

        assertThat(Seeds.fresh().seed()).isEqualTo(-77);
        assertThat(Seeds.fresh().replay()).isEqualTo("-Dpenstock.seed=-77");
    }

    @Test
    void a_seed_that_is_no_number_is_refused() {
        System.setProperty(Seeds.PROPERTY, "lucky");

        assertThatThrownBy(Seeds::fresh).hasMessageContaining("penstock.seed").hasMessageContaining("lucky");
    }

    @Test
    void a_failure_carries_its_seed() {
        System.setProperty(Seeds.PROPERTY, "5");

        assertThatThrownBy(() -> Seeds.run(random -> {
                    throw new AssertionError("drew " + random.nextInt());
                }))
                .isInstanceOf(AssertionError.class)
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("-Dpenstock.seed=5"));
    }

    @Test
    void the_extension_hands_out_the_seed_and_its_generator(Seeds seeds, RandomGenerator random) {
        assertThat(random.nextLong()).isEqualTo(seeds.random().nextLong());
    }
}
