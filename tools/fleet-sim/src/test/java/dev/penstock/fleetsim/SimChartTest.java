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
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SimChartTest {
    @Test
    void aLimitFromBelowIsALineTooAndALossHasNoLength() throws Exception {
        var report = new Report(
                "trace",
                "a fleet",
                3,
                true,
                Map.of("gain_pct", new Estimate(20, 1)),
                Map.of("random", Map.of("gain_pct", new Estimate(-5, 1))),
                List.of(new Report.Bar("gain_pct", ">=", 10, 20, true, "random", -5.0, true)),
                "./penstock sim trace");

        Document svg = parse(report);

        assertThat(svg.getDocumentElement().getTextContent()).contains("gain_pct (limit ≥ 10.000)", "-5.000 ± 1.000");
        Element loss = (Element) svg.getElementsByTagName("rect").item(2);
        assertThat(loss.getAttribute("width")).isEqualTo("1.0");
    }

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

        Document svg = parse(report);

        // The background and two bars; two confidence intervals and the limit.
        assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("line").getLength()).isEqualTo(3);
        assertThat(svg.getDocumentElement().getTextContent())
                .contains("penstock sim balance", "waited_pct (limit ≤ 0.050)", "random", "31.000 ± 1.000");
    }

    private static Document parse(Report report) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(SimChart.svg(report))));
    }
}
