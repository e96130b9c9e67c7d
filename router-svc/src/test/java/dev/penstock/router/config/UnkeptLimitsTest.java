package dev.penstock.router.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.ModelConfig;
import org.junit.jupiter.api.Test;

class UnkeptLimitsTest {
    private static ConfigTree read(String limit) {
        ConfigTree config = ConfigTree.of("models: [{name: a}, {name: b, maxInflightPerReplica: " + limit + "}]");
        ModelConfig.readAll(config);
        UnkeptLimits.refuse(config);
        return config;
    }

    @Test
    void a_limit_that_is_not_kept_is_refused() {
        assertThatThrownBy(read("4")::finish)
                .isInstanceOf(ConfigException.class)
                .hasMessage("models[1].maxInflightPerReplica: 4, expected auto: routers of this version do not keep"
                        + " limits");
    }

    @Test
    void auto_is_none() {
        assertThatCode(read("auto")::finish).doesNotThrowAnyException();
    }
}
