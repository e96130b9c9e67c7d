package dev.penstock.advisor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.scale.ScalingRule;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.PoolId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdvisorConfigTest {
    @Test
    void the_defaults() throws Exception {
        ConfigTree tree = ConfigTree.of("");
        assertThat(AdvisorConfig.read(tree)).isEqualTo(new AdvisorConfig("127.0.0.1", 8085, 8090, 9090));
        tree.finish();
    }

    @Test
    void an_unknown_key_is_refused() {
        ConfigTree tree = ConfigTree.of("advisor: {port: 1}");
        AdvisorConfig.read(tree);
        assertThatThrownBy(tree::finish).isInstanceOf(ConfigException.class);
    }

    @Test
    void a_pool_is_scaled_by_its_model() {
        ConfigTree tree = ConfigTree.of("""
            models:
              - name: org/m
                aliases: [m-chat]
                scaling: {targetConcurrency: 32, min: 2, max: 9, upWindow: 5s, downWindow: 60s}
            """);
        ScalingRules rules = new ScalingRules(ModelConfig.readAll(tree));
        ScalingRule rule = new ScalingRule(32, 2, 9, Duration.ofSeconds(5), Duration.ofSeconds(60));
        PoolId elsewhere = new PoolId("models", "anything");

        assertThat(rules.of(new PoolId("local", "m"))).isEqualTo(rule);
        assertThat(rules.of(elsewhere)).isEqualTo(ScalingRule.DEFAULT);
        rules.learn(elsewhere, "m-chat");
        assertThat(rules.of(elsewhere)).isEqualTo(rule);
        rules.learn(elsewhere, "unlisted");
        assertThat(rules.of(elsewhere)).isEqualTo(rule);
    }
}
