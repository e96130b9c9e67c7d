package dev.penstock.advisor.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.PoolId;
import dev.penstock.testkit.record.ReplicaBuilder;
import org.junit.jupiter.api.Test;

class PoolReplicasTest {
    private static final PoolId POOL = PoolId.localFor(ReplicaBuilder.MODEL);

    private final PoolReplicas replicas = new PoolReplicas();

    @Test
    void present_ones_count_once_and_gone_ones_do_not() {
        replicas.record("a", ReplicaBuilder.replica(1).present());
        replicas.record("a", ReplicaBuilder.replica(1).uid("again").present());
        replicas.record("b", ReplicaBuilder.replica(2).present());
        assertThat(replicas.present(POOL)).isEqualTo(2);

        replicas.record("b", ReplicaBuilder.replica(2).gone());
        assertThat(replicas.present(POOL)).isEqualTo(1);
        replicas.record("a", null);
        replicas.record("a", null);

        assertThat(replicas.present(POOL)).isZero();
        assertThat(replicas.pools()).isEmpty();
    }

    @Test
    void one_that_moves_counts_where_it_is() {
        replicas.record("a", ReplicaBuilder.replica(1).present());
        replicas.record("a", ReplicaBuilder.replica(1).serving("sim/other").present());

        assertThat(replicas.present(POOL)).isZero();
        assertThat(replicas.present(new PoolId("local", "other"))).isEqualTo(1);
    }
}
