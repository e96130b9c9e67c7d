package dev.penstock.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionBookTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final int NOBODY = SessionPins.NOBODY;

    private final List<String> proposed = new ArrayList<>();
    private final SessionBook book = new SessionBook(
            new SessionPins(1_000, HOUR),
            (model, key, from, to, version) ->
                    proposed.add(model + " " + key + ": " + from + " -> " + to + " v" + version),
            () -> 0);

    @Test
    void first_choice_is_pinned_and_proposed() {
        book.routed("m", 7, NOBODY, 3, 0);

        assertThat(book.owner(7, 0)).isEqualTo(3);
        assertThat(proposed).containsExactly("m 7: -1 -> 3 v0");
    }

    @Test
    void same_choice_is_not_told_again_before_its_renewal() {
        book.told(7, 3, 1);

        book.routed("m", 7, 3, 3, HOUR / 20);
        assertThat(proposed).isEmpty();
        book.routed("m", 7, 3, 3, HOUR / 9);
        book.routed("m", 7, 3, 3, HOUR / 9);

        assertThat(proposed).containsExactly("m 7: 3 -> 3 v1");
    }

    @Test
    void move_is_proposed_once_by_requests_that_decided_together() {
        book.told(7, 3, 1);

        book.routed("m", 7, 3, 4, 0);
        book.routed("m", 7, 3, 5, 0);

        assertThat(book.owner(7, 0)).isEqualTo(4);
        assertThat(proposed).containsExactly("m 7: 3 -> 4 v1");
    }

    @Test
    void move_that_another_router_made_meanwhile_stays() {
        book.told(7, 3, 1);
        book.told(7, 6, 2);

        book.routed("m", 7, 3, 4, 0);

        assertThat(book.owner(7, 0)).isEqualTo(6);
        assertThat(proposed).isEmpty();
    }

    @Test
    void request_without_a_session_does_nothing() {
        book.routed("m", SessionKey.NONE, NOBODY, 3, 0);

        assertThat(book.owner(SessionKey.NONE, 0)).isEqualTo(NOBODY);
        assertThat(proposed).isEmpty();
    }

    @Test
    void store_that_is_heard_again_is_told_every_pin_in_use() {
        book.told(7, 3, 4);
        book.routed("m", 7, 3, 3, 1);

        book.regained();
        book.routed("m", 7, 3, 3, 1);

        assertThat(proposed).containsExactly("m 7: 3 -> 3 v4");
    }
}
