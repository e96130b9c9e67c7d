package dev.penstock.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelPolicyTest {
    @Test
    void says_what_the_configuration_says() {
        assertThat(policy("{name: a/m, aliases: [x], strategy: least-request, requestsPerSecondPerReplica: 2.5}"))
                .isEqualTo(new ModelPolicy("a/m", List.of("x"), "least-request", 2_500L));
        assertThat(policy("{name: m}")).isEqualTo(new ModelPolicy("m", List.of(), "load-balance", null));
        assertThat(policy("{name: m, requestsPerSecondPerReplica: 0.001}").milliRpsPerReplica())
                .isEqualTo(1);
    }

    private static ModelPolicy policy(String model) {
        return ModelPolicy.of(
                ModelConfig.readAll(ConfigTree.of("models: [" + model + "]")).getFirst());
    }
}
