package dev.penstock.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.PolicyRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyBookTest {
    private final PolicyBook book = new PolicyBook();

    @Test
    void the_last_record_of_a_model_is_kept_until_it_is_forgotten() {
        assertThat(book.heard(record("m", 4, 1), 10)).isTrue();
        assertThat(book.heard(record("m", 4, 2), 20)).isTrue();

        assertThat(book.view().get("m")).isEqualTo(new PolicyBook.Heard(record("m", 4, 2), 20));
        assertThat(book.view().get("m").limitMilliRps()).isEqualTo(3_000);

        book.forgotten("m");

        assertThat(book.view()).isEmpty();
        assertThat(book.highestVersion()).isEqualTo(2);
    }

    @Test
    void a_displaced_owner_changes_nothing_but_its_version_is_not_given_again() {
        book.heard(record("m", 4, 1), 10);

        assertThat(book.heard(record("m", 3, 9), 20)).isFalse();

        assertThat(book.view().get("m").record().version()).isEqualTo(1);
        assertThat(book.highestVersion()).isEqualTo(9);
    }

    private static PolicyRecord record(String model, long epoch, long version) {
        return new PolicyRecord(
                new Header("admission", 1, 0, epoch, 0),
                model,
                List.of(),
                new PolicyRecord.Strategies("load-balance", null, null, List.of(), 30_000L, null, "", null, null),
                1_500L,
                2,
                List.of(),
                version,
                false);
    }
}
