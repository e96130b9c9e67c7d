package dev.penstock.advisor.keda;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.penstock.advisor.keda.proto.GetMetricsRequest;
import dev.penstock.advisor.keda.proto.MetricSpec;
import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Bytes worked out by hand from KEDA's field numbers; never edited to make a test pass. */
class KedaBytesTest {
    private static final ScaledObjectRef REF = ScaledObjectRef.newBuilder()
            .setName("so")
            .setNamespace("models")
            .putScalerMetadata("pool", "llama")
            .build();

    @Test
    void scaled_object_ref() {
        // 1 name, 2 namespace, 3 map entry of 1 key and 2 value
        assertBytes(REF, "0a02736f" + "12066d6f64656c73" + "1a0d" + "0a04706f6f6c" + "12056c6c616d61");
    }

    @Test
    void is_active_response() {
        assertBytes(Messages.active(true), "0801");
        assertBytes(Messages.active(false), "");
    }

    @Test
    void metric_spec_with_both_targets() {
        // 1 name, 2 int64 1, 3 double 1.0
        String spec = "0a016d" + "1001" + "19000000000000f03f";
        assertBytes(Messages.spec("m").getMetricSpecs(0), spec);
        assertBytes(Messages.spec("m"), "0a0e" + spec);
        assertThat(MetricSpec.getDescriptor().getFullName()).isEqualTo("externalscaler.MetricSpec");
    }

    @Test
    void get_metrics_request() {
        GetMetricsRequest request = GetMetricsRequest.newBuilder()
                .setScaledObjectRef(ScaledObjectRef.newBuilder().setName("so"))
                .setMetricName("m")
                .build();
        assertBytes(request, "0a04" + "0a02736f" + "12016d");
    }

    @Test
    void metric_value_with_both_values() {
        // 1 name, 2 int64 17, 3 double 17.0
        String value = "0a016d" + "1011" + "190000000000003140";
        assertBytes(Messages.value("m", 17).getMetricValues(0), value);
        assertBytes(Messages.value("m", 17), "0a0e" + value);
        assertBytes(Messages.value("m", 0), "0a03" + "0a016d");
    }

    private static void assertBytes(Message message, String hex) {
        assertThat(HexFormat.of().formatHex(message.toByteArray())).isEqualTo(hex);
    }
}
