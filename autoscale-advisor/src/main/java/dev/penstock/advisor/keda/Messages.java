package dev.penstock.advisor.keda;

import dev.penstock.advisor.keda.proto.GetMetricSpecResponse;
import dev.penstock.advisor.keda.proto.GetMetricsResponse;
import dev.penstock.advisor.keda.proto.IsActiveResponse;
import dev.penstock.advisor.keda.proto.MetricSpec;
import dev.penstock.advisor.keda.proto.MetricValue;

/**
 * What KEDA is told. The value is the number of replicas wanted and the target is 1 per replica, so an HPA's
 * {@code ceil(value / target)} is that number. Integer and float fields are both filled, for KEDA before and since 2.17.
 */
final class Messages {
    private static final long TARGET = 1;

    private Messages() {}

    static GetMetricSpecResponse spec(String metricName) {
        return GetMetricSpecResponse.newBuilder()
                .addMetricSpecs(MetricSpec.newBuilder()
                        .setMetricName(metricName)
                        .setTargetSize(TARGET)
                        .setTargetSizeFloat(TARGET))
                .build();
    }

    static GetMetricsResponse value(String metricName, int replicas) {
        return GetMetricsResponse.newBuilder()
                .addMetricValues(MetricValue.newBuilder()
                        .setMetricName(metricName)
                        .setMetricValue(replicas)
                        .setMetricValueFloat(replicas))
                .build();
    }

    static IsActiveResponse active(boolean active) {
        return IsActiveResponse.newBuilder().setResult(active).build();
    }
}
