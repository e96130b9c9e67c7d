package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.load.LaneReport;
import dev.penstock.cli.load.LoadReport;
import dev.penstock.cli.load.Percentiles;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadReportTextTest {
    private static final Percentiles NONE = new Percentiles(Double.NaN, Double.NaN, Double.NaN);
    private final LaneReport routed = new LaneReport(
            100,
            98,
            Map.of("connect", 1L, "status_503", 1L),
            49.96,
            new Percentiles(1.5, 2, 10.125),
            new Percentiles(60, 70, 80),
            new Percentiles(2, 2, 3),
            Map.of("engine-1", 25L, "engine-0", 73L),
            Map.of(200, 98L, 503, 1L));
    private final LaneReport direct =
            new LaneReport(100, 0, Map.of("connect", 100L), 0, NONE, NONE, NONE, Map.of(), Map.of());

    @Test
    void tableShowsTheLanesBesideEachOther() {
        assertThat(new LoadReportText(new LoadReport(routed, direct)).table()).isEqualTo("""
            routed: 100 sent, 98 ok, 50.0 complete answers/s; errors: connect 1 status_503 1
            direct: 100 sent, 0 ok, 0.0 complete answers/s; errors: connect 100

            MS           ROUTED P50    P90    P99  DIRECT P50  P90  P99
            TTFT               1.50   2.00  10.13           -    -    -
            latency           60.00  70.00  80.00           -    -    -
            inter-token        2.00   2.00   3.00           -    -    -

            REPLICA   ANSWERS  SHARE
            engine-0       73  74.5%
            engine-1       25  25.5%
            """);
    }

    @Test
    void jsonHasTheContractsKeys() {
        assertThat(new LoadReportText(new LoadReport(routed, direct)).json().toString())
                .isEqualTo("{\"sent\":100,\"ok\":98,\"errors\":{\"connect\":1,\"status_503\":1},\"rps\":49.96,"
                        + "\"ttftMs\":{\"p50\":1.5,\"p90\":2.0,\"p99\":10.125},"
                        + "\"latencyMs\":{\"p50\":60.0,\"p90\":70.0,\"p99\":80.0},"
                        + "\"interTokenMs\":{\"p50\":2.0,\"p90\":2.0,\"p99\":3.0},"
                        + "\"perReplica\":{\"engine-0\":73,\"engine-1\":25},\"statuses\":{\"200\":98,\"503\":1},"
                        + "\"direct\":{\"sent\":100,\"ok\":0,\"errors\":{\"connect\":100},\"rps\":0.0,"
                        + "\"ttftMs\":{\"p50\":null,\"p90\":null,\"p99\":null},"
                        + "\"latencyMs\":{\"p50\":null,\"p90\":null,\"p99\":null},"
                        + "\"interTokenMs\":{\"p50\":null,\"p90\":null,\"p99\":null},"
                        + "\"perReplica\":{},\"statuses\":{}}}");
    }
}
