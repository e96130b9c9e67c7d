package dev.penstock.admission.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import org.junit.jupiter.api.Test;

class AdmissionConfigTest {
    @Test
    void defaults_are_taken_and_shown() throws Exception {
        ConfigTree tree = ConfigTree.of("");

        AdmissionConfig config = AdmissionConfig.read(tree);
        tree.finish();

        assertThat(config).isEqualTo(new AdmissionConfig("127.0.0.1", 8084, 8094, 9084, null));
        assertThat(tree.effective().path("admission").toString())
                .isEqualTo(
                        "{\"host\":\"127.0.0.1\",\"managementPort\":8084,\"restPort\":8094,\"ledgerPort\":9084,\"ledgerHost\":null,"
                            + "\"strict\":false,\"abortLinger\":{\"vllm\":\"500ms\",\"sglang\":\"5s\"},"
                            + "\"reclaimAfter\":null}");
    }

    @Test
    void the_defaults_may_be_written_out() throws Exception {
        ConfigTree tree = ConfigTree.of("admission: {ledgerPort: 9084, ledgerHost: null, strict: false,"
                + " abortLinger: {vllm: 500ms, sglang: 5000ms}, reclaimAfter: null}");

        AdmissionConfig.read(tree);

        tree.finish();
    }

    @Test
    void what_this_version_does_not_act_on_is_refused() {
        ConfigTree tree =
                ConfigTree.of("admission: {strict: true, abortLinger: {vllm: 1s, sglang: 1s}," + " reclaimAfter: 10s}");

        AdmissionConfig.read(tree);

        assertThatThrownBy(tree::finish)
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "admission.strict: true, expected nothing, or the default: this version does not act on it",
                        "admission.abortLinger.vllm: 1000ms",
                        "admission.abortLinger.sglang: 1000ms",
                        "admission.reclaimAfter: 10000ms");
    }

    @Test
    void holders_may_be_told_another_host() throws Exception {
        ConfigTree tree = ConfigTree.of("admission: {host: 0.0.0.0, ledgerPort: 0, ledgerHost: 10.1.2.3}");

        AdmissionConfig config = AdmissionConfig.read(tree);

        tree.finish();
        assertThat(config).isEqualTo(new AdmissionConfig("0.0.0.0", 8084, 8094, 0, "10.1.2.3"));
    }

    @Test
    void wrong_values_are_named() {
        ConfigTree tree = ConfigTree.of("admission: {restPort: 70000, strict: maybe, abortLinger: 5s}");

        AdmissionConfig.read(tree);

        assertThatThrownBy(tree::finish)
                .hasMessageContainingAll(
                        "admission.restPort: 70000", "admission.strict: maybe", "admission.abortLinger");
    }
}
