package dev.penstock.kit.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.management.PortTakenException;
import io.vertx.core.Future;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceMainTest {
    @Test
    void wrong_configuration_is_exit_code_2() {
        int code = launch(Map.of("PENSTOCK__ROUTER__PORT", "x"), context -> {
            context.config().section("router").port("port", 1);
            context.config().finish();
            return Future.failedFuture("not reached");
        });

        assertThat(code).isEqualTo(ServiceMain.CONFIG_WRONG);
    }

    @Test
    void taken_port_is_exit_code_3() {
        assertThat(launch(Map.of(), context -> Future.failedFuture(new PortTakenException(8080, "router.port"))))
                .isEqualTo(ServiceMain.PORT_TAKEN);
    }

    @Test
    void failure_is_exit_code_1() {
        assertThat(launch(Map.of(), context -> Future.failedFuture("broken"))).isEqualTo(ServiceMain.FAILED);
    }

    @Test
    void unknown_argument_is_exit_code_2() {
        assertThat(launch(Map.of(), context -> Future.failedFuture("broken"), "--confg"))
                .isEqualTo(ServiceMain.CONFIG_WRONG);
    }

    @Test
    void print_config_starts_nothing() {
        int code = launch(
                Map.of(),
                context -> {
                    context.config().section("router").port("port", 1);
                    context.config().finish();
                    throw new AssertionError("started");
                },
                "--print-config");

        assertThat(code).isEqualTo(ServiceMain.STOPPED);
    }

    private static int launch(Map<String, String> env, Starter starter, String... args) {
        return ServiceMain.launch("router", args, env, starter);
    }
}
