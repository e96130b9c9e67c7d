package dev.penstock.advisor.keda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.advisor.keda.ScalerMetadata.WrongMetadataException;
import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import dev.penstock.model.PoolId;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalerMetadataTest {
    @Test
    void the_namespace_is_the_objects_where_it_has_the_pool_and_local_elsewhere() throws Exception {
        ScalerMetadata metadata = read(Map.of("pool", "llama"));

        assertThat(metadata.poolId(pool -> true)).isEqualTo(new PoolId("models", "llama"));
        assertThat(metadata.poolId(pool -> false)).isEqualTo(new PoolId("local", "llama"));
        assertThat(metadata.metricName()).isEqualTo("penstock-desired-replicas");
    }

    @Test
    void a_namespace_that_is_given_is_taken() throws Exception {
        PoolId other = new PoolId("other", "llama");
        assertThat(read(Map.of("pool", "llama", "namespace", "other")).poolId(pool -> false))
                .isEqualTo(other);
        assertThat(read(Map.of("pool", "other/llama")).poolId(pool -> false)).isEqualTo(other);
    }

    @Test
    void what_is_wrong_is_named() {
        assertWrong(Map.of(), "scalerMetadata.pool: \"\", expected the name of a pool, or namespace/name");
        assertWrong(
                Map.of("pool", "/llama"),
                "scalerMetadata.pool: \"/llama\", expected the name of a pool, or namespace/name");
        assertWrong(
                Map.of("pool", "a/llama", "namespace", "b"),
                "scalerMetadata.namespace: \"b\", expected a, as in pool \"a/llama\"");
        assertWrong(
                Map.of("pool", "llama", "metricName", "No_Name"),
                "scalerMetadata.metricName: \"No_Name\","
                        + " expected lower-case letters, digits and dashes, like penstock-desired-replicas");
    }

    @Test
    void unknown_keys_are_told_apart_and_fail_nothing() throws Exception {
        Map<String, String> keys = Map.of("pool", "llama", "scalerAddress", "a:1", "pol", "x");
        read(keys);
        assertThat(ScalerMetadata.unknownKeys(ref(keys))).containsExactly("pol");
    }

    private static void assertWrong(Map<String, String> metadata, String message) {
        assertThatThrownBy(() -> read(metadata))
                .isInstanceOf(WrongMetadataException.class)
                .hasMessage(message);
    }

    private static ScalerMetadata read(Map<String, String> metadata) throws WrongMetadataException {
        return ScalerMetadata.read(ref(metadata));
    }

    private static ScaledObjectRef ref(Map<String, String> metadata) {
        return ScaledObjectRef.newBuilder()
                .setName("so")
                .setNamespace("models")
                .putAllScalerMetadata(metadata)
                .build();
    }
}
