package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    @Test
    void ports_are_distinct_and_free() throws Exception {
        List<Integer> ports = FreePorts.take(50);

        assertThat(ports).hasSize(50).doesNotHaveDuplicates();
        for (int port : ports) new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void a_base_has_what_is_behind_it_free_and_is_never_taken_one_by_one() throws Exception {
        int base = FreePorts.base(1, 100, 101);

        for (int offset : new int[] {0, 1, 100, 101}) {
            new ServerSocket(base + offset, 1, InetAddress.getLoopbackAddress()).close();
        }
        assertThat(FreePorts.take(500)).allMatch(port -> port < base && (port < 20_000 || port >= 22_000));
    }
}
