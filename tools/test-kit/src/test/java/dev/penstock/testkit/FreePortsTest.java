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
}
