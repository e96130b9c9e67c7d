package dev.penstock.router.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProposalsTest {
    private final Proposals proposals = new Proposals(2);

    @Test
    void later_one_of_a_session_joins_the_earlier() {
        proposals.add(new Proposal("m", 7, -1, 3, 0));
        proposals.add(new Proposal("m", 7, 3, 4, 1));

        assertThat(proposals.take()).isEqualTo(new Proposal("m", 7, -1, 4, 1));
        assertThat(proposals.take()).isNull();
    }

    @Test
    void one_put_back_comes_before_what_was_added_since() {
        proposals.add(new Proposal("m", 7, 1, 2, 5));
        Proposal sent = proposals.take();
        proposals.add(new Proposal("m", 7, 2, 3, 5));

        proposals.putBack(sent);

        assertThat(proposals.take()).isEqualTo(new Proposal("m", 7, 1, 3, 5));
    }

    @Test
    void oldest_is_given_up() {
        assertThat(proposals.add(new Proposal("m", 1, -1, 1, 0))).isZero();
        assertThat(proposals.add(new Proposal("m", 2, -1, 1, 0))).isZero();
        assertThat(proposals.add(new Proposal("m", 3, -1, 1, 0))).isOne();

        assertThat(proposals.size()).isEqualTo(2);
        assertThat(proposals.take()).isEqualTo(new Proposal("m", 2, -1, 1, 0));
    }
}
