package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class SimChartTest {
    @Test
    void drawsABarPerPolicyAndALineAtTheLimit() throws Exception {
        var report = new Report(
                "balance",
                "a fleet",
                3,
                false,
                Map.of("waited_pct", new Estimate(0.1, 0.01)),
                Map.of("random", Map.of("waited_pct", new Estimate(31, 1))),
                List.of(new Report.Bar("waited_pct", "<=", 0.05, 0.1, false, "random", 31.0, true)),
                "./penstock sim balance");

        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(SimChart.svg(report))));

        // The background and two bars; two confidence intervals and the limit.
        assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("line").getLength()).isEqualTo(3);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("penstock sim balance", "waited_pct (limit 0.050)", "random", "31.000 ± 1.000");
    }
}
