package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.view.ReplicaCell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharingEngineTest {
    private static final long SECOND = 1_000_000_000L;

    private final EventQueue events = new EventQueue();
    private final List<SimRequest> completed = new ArrayList<>();
    private final SimRouter router =
            new SimRouter("router-0", 1, List.of(), (image, now) -> null, new RawPeers(), Policy.Hearing.NOTHING, 0);

    private SharingEngine engine(EngineModel.Sharing model) {
        return (SharingEngine) model.create(events, ColdStart.NONE, completed::add);
    }

    private SimRequest request(int promptTokens, int outputTokens) {
        return new SimRequest(
                router, 0, new ReplicaCell(), Demand.ofTokens(promptTokens, outputTokens), events.nowNanos(), true);
    }

    @Test
    void alonePromptAndAnswerTakeTheirUnitsOverTheSpeedOfOne() {
        SharingEngine engine = engine(EngineModel.Sharing.of("", 1_000, 9));
        SimRequest request = request(1_000, 70);

        engine.admit(request);
        events.runUntil(10 * SECOND);

        // 1,000 / (1 + 9) = 100 units a second: 130 for the prompt, 70 for the answer.
        assertThat(completed).containsExactly(request);
        assertThat(request.firstTokenNanos / 1e9).isCloseTo(1.3, within(1e-6));
        assertThat(engine.tokens()).isEqualTo(new Engine.Tokens(1_000, 70));
    }

    @Test
    void moreAtATimeIsMoreInAllAndLessForEach() {
        SharingEngine engine = engine(EngineModel.Sharing.of("", 1_000, 10));
        for (int i = 0; i < 10; i++) engine.admit(request(0, 100));

        events.runUntil(2 * SECOND - 1_000_000);
        assertThat(engine.running()).isEqualTo(10);
        assertThat(engine.utilisation()).isEqualTo(0.5);

        events.runUntil(2 * SECOND + 1_000_000);
        assertThat(completed).hasSize(10);
        assertThat(engine.tokens().output()).isCloseTo(1_000, within(1L));
    }

    @Test
    void aStepChangesWhatIsUnderWay() {
        SharingEngine engine = engine(EngineModel.Sharing.of("", 1_000, 9).stepping(SECOND, 0.5));
        engine.admit(request(0, 200));

        events.runUntil(3 * SECOND - 1_000_000);
        assertThat(completed).isEmpty();

        events.runUntil(3 * SECOND + 1_000_000);
        assertThat(completed).hasSize(1);
    }

    @Test
    void whatIsGivenUpIsWorkedOnNoLonger() {
        SharingEngine engine = engine(EngineModel.Sharing.of("", 1_000, 9));
        SimRequest kept = request(0, 110);
        engine.admit(request(0, 500));
        engine.admit(kept);

        assertThat(engine.giveUp(request -> request != kept)).hasSize(1);
        events.runUntil(10 * SECOND);

        assertThat(completed).containsExactly(kept);
        assertThat(engine.running()).isZero();
    }
}
