package dev.penstock.fleetsim;

import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimRouterTest {
    private final List<RosterRecord> roster =
            List.of(replica(1).present(), replica(2).present());
    private final SimRouter router = router("router-0", 7, 2);

    @Test
    void firstVectorIsFullTheNextOnesTellChangesAndSoDoesAnEmptyOne() {
        router.route(0);

        InflightVector first = router.vector(0);
        router.route(0);
        InflightVector changed = router.vector(100);
        InflightVector unchanged = router.vector(200);

        assertThat(first.full()).isTrue();
        assertThat(first.numbers()).containsExactly(2);
        assertThat(first.counts()).containsExactly(1);
        assertThat(changed.full()).isFalse();
        assertThat(changed.counts()).containsExactly(2);
        assertThat(unchanged.numbers()).isEmpty();
        assertThat(unchanged.header().sequence()).isEqualTo(3);
    }

    @Test
    void eachTenthVectorIsFull() {
        for (int i = 0; i < 10; i++) assertThat(router.vector(i).full()).isEqualTo(i == 0);

        assertThat(router.vector(10).full()).isTrue();
    }

    @Test
    void aRequestIsTriedElsewhereEightTimesInAll() {
        ReplicaEntry entry = router.route(0);
        int tried = 0;
        for (; entry != null; tried++) entry = router.routeElsewhere(entry, 0);

        assertThat(tried).isEqualTo(Routing.MAX_ATTEMPTS);
        assertThat(router.view().current().byNumber(2).cell().own()).isZero();
    }

    @Test
    void countsOfTheUnheardIncarnationAreDeadCounts() {
        SimRouter dead = router("router-1", 8, 1);
        SimRouter peer = router("router-2", 9, 1);
        router.leaveUnheard(8, 0, roster);
        dead.route(0);
        dead.route(0);
        peer.route(0);

        router.receive(dead.vector(0), 0);
        router.receive(peer.vector(0), 0);

        // At least what it had: a replica counts for more than its share where peers told more.
        assertThat(router.deadMilli()).isBetween(1_990L, 4_000L);
        router.refresh(4_000_000_000L);
        assertThat(router.deadMilli()).isZero();
    }

    private SimRouter router(String name, long incarnation, int choice) {
        return new SimRouter(
                name,
                incarnation,
                roster,
                (image, now) -> image.byNumber(choice),
                new RawPeers(),
                Policy.Hearing.ESTIMATES,
                0);
    }
}
