package dev.penstock.router.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import java.net.InetAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManagementUrlTest {
    private static final String KEY = "PENSTOCK__ROUTER__MANAGEMENTURL";

    @Test
    void only_a_bare_http_address_is_one() {
        assertThat(text("http://10.1.2.3:8081")).isEqualTo("http://10.1.2.3:8081");
        assertThat(text("http://router-0.routers:8081/")).isEqualTo("http://router-0.routers:8081");
        assertThat(text("http://[fd00::1]:8081")).isEqualTo("http://[fd00::1]:8081");
        for (String wrong : new String[] {
            "",
            "router-0:8081",
            "https://h:1",
            "file:///etc/passwd",
            "http://h:1/path",
            "http://h:1?q",
            "http://h:1#f",
            "http://user@h:1",
            "http://h:0",
            "http://h:70000",
            "http://h h:1",
            "http://" + "h".repeat(300) + ":1"
        }) {
            assertThat(ManagementUrl.parse(wrong)).as(wrong).isNull();
        }
    }

    @Test
    void a_listener_is_reached_at_its_host_or_at_the_machines_own_address() throws Exception {
        String own = InetAddress.getLocalHost().getHostAddress();

        assertThat(ManagementUrl.ofListener("127.0.0.1", 8081).text()).isEqualTo("http://127.0.0.1:8081");
        assertThat(ManagementUrl.ofListener("::1", 8081).text()).isEqualTo("http://[::1]:8081");
        assertThat(ManagementUrl.ofListener("0.0.0.0", 8081).text())
                .contains(own)
                .endsWith(":8081");
        assertThat(ManagementUrl.ofListener("::", 8081).text()).contains(own).endsWith(":8081");
    }

    @Test
    void the_key_is_checked_and_null_by_default() {
        assertThat(RouterConfig.read(ConfigTree.load(null, Map.of())).managementUrl())
                .isNull();
        assertThat(RouterConfig.read(ConfigTree.load(null, Map.of(KEY, "http://h:1")))
                        .managementUrl())
                .isEqualTo(new ManagementUrl("http://h:1"));

        ConfigTree wrong = ConfigTree.load(null, Map.of(KEY, "h:1"));
        RouterConfig.read(wrong);
        assertThatThrownBy(wrong::finish)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("router.managementUrl")
                .hasMessageContaining("http://10.1.2.3:8081");
    }

    private static @Nullable String text(String url) {
        ManagementUrl parsed = ManagementUrl.parse(url);
        return parsed == null ? null : parsed.text();
    }
}
