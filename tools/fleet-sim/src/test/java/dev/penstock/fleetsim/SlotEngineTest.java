package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.view.ReplicaCell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotEngineTest {
    private final EventQueue events = new EventQueue();
    private final List<SimRequest> completed = new ArrayList<>();
    private final Engine engine = new SlotEngine(events, 2, ColdStart.NONE, completed::add);
    private final SimRouter router = router(1);
    private final SimRouter other = router(2);

    @Test
    void worksOnAsManyAsItHasSlotsAndQueuesTheRestFirstComeFirstServed() {
        SimRequest first = request(router, 30);
        SimRequest second = request(router, 10);
        SimRequest third = request(router, 10);
        SimRequest fourth = request(router, 100);

        assertThat(engine.admit(first)).isFalse();
        assertThat(engine.admit(second)).isFalse();
        assertThat(engine.admit(third)).isTrue();
        assertThat(engine.admit(fourth)).isTrue();
        events.runUntil(30);

        assertThat(completed).containsExactly(second, third, first);
        assertThat(engine.running()).isEqualTo(1);
        assertThat(engine.queued()).isZero();
    }

    @Test
    void aRoutersDeathEndsItsRequestsAndFreesTheirSlots() {
        SimRequest survivor = request(other, 10);
        engine.admit(request(router, 5));
        engine.admit(request(router, 5));
        engine.admit(request(router, 5));
        engine.admit(survivor);

        int aborted = engine.abort(router);

        assertThat(aborted).isEqualTo(3);
        assertThat(engine.running()).isEqualTo(1);
        assertThat(engine.queued()).isZero();
        events.runUntil(100);
        assertThat(completed).containsExactly(survivor);
    }

    private static SimRouter router(long incarnation) {
        return new SimRouter(
                "router-" + incarnation,
                incarnation,
                List.of(),
                (image, now) -> null,
                new RawPeers(),
                Policy.Hearing.NOTHING,
                0);
    }

    private static SimRequest request(SimRouter router, long serviceNanos) {
        return new SimRequest(router, 1, new ReplicaCell(), Demand.ofTime(serviceNanos), 0, true);
    }
}
