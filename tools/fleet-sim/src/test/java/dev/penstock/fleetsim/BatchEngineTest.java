package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.view.ReplicaCell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Beside the figures of the step model of engine-sim's profile of the same name. */
class BatchEngineTest {
    private static final long MINUTE = 60_000_000_000L;

    private final EventQueue events = new EventQueue();
    private final List<SimRequest> completed = new ArrayList<>();
    private final BatchEngine engine =
            new BatchEngine(events, BatchProfile.LLAMA_8B_H100, ColdStart.NONE, completed::add);
    private final SimRouter router = router(1);
    private final SimRouter other = router(2);

    /** 12 ms to get in; 8 ms, 2,000 x 0.022 ms and 3 ms of attention: 67 ms, where the step model has about 60. */
    @Test
    void aPromptAloneTakesOneStep() {
        SimRequest request = admit(router, 2_000, 1);

        events.runUntil(MINUTE);

        assertThat(millis(request.firstTokenNanos)).isCloseTo(67, within(0.1));
        assertThat(completed).containsExactly(request);
    }

    /** 99 steps of 8 ms, 0.022 ms and 0.055 ms of context after the first token: 8.08 ms a token. */
    @Test
    void aSequenceAloneGetsATokenAStep() {
        SimRequest request = admit(router, 1_000, 100);

        double lastToken = completedMillis();

        assertThat((lastToken - millis(request.firstTokenNanos)) / 99).isCloseTo(8.077, within(0.001));
        assertThat(engine.inflight()).isZero();
    }

    /** 64 sequences of about 1,000 tokens: 8 + 64 x 0.077 = 12.9 ms a token; the step model has 11.5. */
    @Test
    void sequencesShareTheirSteps() {
        List<SimRequest> requests = new ArrayList<>();
        for (int i = 0; i < 64; i++) requests.add(admit(router, 1_000, 101));

        double lastToken = completedMillis();

        double perToken = (lastToken - millis(requests.getFirst().firstTokenNanos)) / 100;
        assertThat(perToken).isCloseTo(12.9, within(0.1));
    }

    /** 450,000 tokens fit: the third request of 200,000 waits for the end of one. */
    @Test
    void whatDoesNotFitWaits() {
        admit(router, 199_000, 1_000);
        admit(router, 199_000, 1_000);
        SimRequest third = admit(router, 199_000, 1_000);

        events.runUntil(1_000_000_000L);

        assertThat(engine.running()).isEqualTo(2);
        assertThat(engine.queued()).isEqualTo(1);
        events.runUntil(10 * MINUTE);
        assertThat(completed).hasSize(3).last().isSameAs(third);
        assertThat(third.startedNanos).isPositive();
    }

    @Test
    void aRoutersDeathEndsItsRequestsWherebyOthersGetFaster() {
        for (int i = 0; i < 50; i++) admit(router, 8_000, 1_000);
        SimRequest survivor = admit(other, 100, 10);
        events.runUntil(100_000_000L);

        int aborted = engine.abort(router);

        assertThat(aborted).isEqualTo(50);
        events.runUntil(1_000_000_000L);
        assertThat(completed).containsExactly(survivor);
        assertThat(engine.inflight()).isZero();
    }

    @Test
    void coldItIsSlower() {
        var cold = new BatchEngine(events, BatchProfile.LLAMA_8B_H100, new ColdStart(0, 3, MINUTE), completed::add);
        SimRequest request = request(router, 2_000, 1);
        cold.admit(request);

        events.runUntil(MINUTE);

        assertThat(millis(request.firstTokenNanos)).isCloseTo(12 + 3 * 55, within(1.0));
    }

    /** Runs until the first is completed, to the nearest microsecond. */
    private double completedMillis() {
        while (completed.isEmpty()) events.runUntil(events.nowNanos() + 1_000);
        return millis(events.nowNanos());
    }

    private SimRequest admit(SimRouter from, int prompt, int output) {
        SimRequest request = request(from, prompt, output);
        engine.admit(request);
        return request;
    }

    private SimRequest request(SimRouter from, int prompt, int output) {
        return new SimRequest(from, 1, new ReplicaCell(), Demand.ofTokens(prompt, output), events.nowNanos(), true);
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

    private static double millis(long nanos) {
        return nanos / 1e6;
    }
}
