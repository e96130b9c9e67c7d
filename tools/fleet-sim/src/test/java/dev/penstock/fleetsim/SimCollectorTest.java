package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SimCollectorTest {
    private final EventQueue events = new EventQueue();
    private final Replicas replicas = new Replicas();

    @BeforeEach
    void threeReplicas() {
        var model = new EngineModel.Slots(1);
        for (int number = 0; number < 3; number++) {
            replicas.add(model.create(events, ColdStart.NONE, request -> {}), 0);
        }
    }

    @Test
    void samplesItsOwnOnly() {
        var collector = new SimCollector("collector-1", replicas, number -> number != 1);

        List<TelemetryFrame> frames = collector.sample(0);

        assertThat(frames).extracting(TelemetryFrame::shard).containsExactly(0, 2);
        assertThat(frames).extracting(frame -> frame.header().producer()).containsOnly("collector-1");
    }

    @Test
    void saysWhatChangedAndThatTheRestDidNot() {
        var collector = new SimCollector("collector-0", replicas, number -> true);
        collector.sample(0);
        send(2);

        List<TelemetryFrame> frames = collector.sample(50);

        assertThat(frames.get(0).samples()).isEmpty();
        assertThat(frames.get(0).sampledUnchanged().cardinality()).isEqualTo(1);
        assertThat(frames.get(2).samples()).extracting(Sample::running).containsExactly(1);
    }

    @Test
    void frozenItSaysTheSameForEver() {
        var collector = new SimCollector("collector-0", replicas, number -> true);
        collector.sample(0);
        collector.freeze();
        send(2);

        assertThat(collector.sample(50).get(2).sampledUnchanged().cardinality()).isEqualTo(1);
    }

    private void send(int number) {
        var router = new SimRouter(
                "router-0", 1, List.of(), (image, now) -> null, new RawPeers(), Policy.Hearing.NOTHING, 0);
        replicas.engine(number).admit(new SimRequest(router, number, new ReplicaCell(), Demand.ofTime(100), 0, true));
    }
}
