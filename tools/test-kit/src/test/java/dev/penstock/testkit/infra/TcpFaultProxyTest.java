package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.SocketServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpFaultProxyTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private SocketServer echo;
    private TcpFaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = SocketServer.echo();
        proxy = TcpFaultProxy.start(0, "127.0.0.1", echo.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void passes_bytes_unchanged_and_a_fin_as_half_close() throws Exception {
        byte[] sent = new byte[3_000_000];
        new SplittableRandom(1).nextBytes(sent);
        try (Socket client = connect()) {
            Thread writer = Thread.ofVirtual().start(() -> writeAndFinish(client, sent));

            byte[] back = client.getInputStream().readAllBytes();

            writer.join();
            assertThat(Sha256.hex(back)).isEqualTo(Sha256.hex(sent));
        }
        Await.until("nothing is left", PATIENCE, () -> proxy.connections() == 0 && echo.connections() == 0);
    }

    @Test
    void a_delay_is_added_in_each_direction_and_keeps_the_order() throws Exception {
        byte[] sent = new byte[400_000];
        new SplittableRandom(2).nextBytes(sent);
        try (Socket client = connect()) {
            ask(client, 'a');

            proxy.delay(Duration.ofMillis(60));
            long start = System.nanoTime();
            ask(client, 'b');
            assertThat(System.nanoTime() - start).isBetween(120_000_000L, 1_000_000_000L);

            Thread writer = Thread.ofVirtual().start(() -> writeAndFinish(client, sent));
            byte[] back = client.getInputStream().readAllBytes();
            writer.join();
            assertThat(Sha256.hex(back)).isEqualTo(Sha256.hex(sent));
        }
    }

    @Test
    void a_delay_does_not_limit_throughput() throws Exception {
        proxy.delay(Duration.ofMillis(100));
        try (Socket client = connect()) {
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                client.getOutputStream().write(i);
                Await.until("5 ms have passed", PATIENCE, passed(5));
            }
            client.getInputStream().readNBytes(20);

            // 20 writes about 10 ms apart and one round trip of 200 ms; one delay per write would take 2 s at least
            assertThat(System.nanoTime() - start).isLessThan(1_500_000_000L);
        }
    }

    @Test
    void frozen_bytes_arrive_after_pass() throws Exception {
        try (Socket client = connect()) {
            ask(client, 'a');

            proxy.freeze();
            client.getOutputStream().write('b');
            assertSilent(client);
            proxy.pass();

            assertThat(client.getInputStream().read()).isEqualTo('b');
            ask(client, 'c');
        }
    }

    @Test
    void a_frozen_wire_accepts_connections_and_relays_them_later() throws Exception {
        proxy.freeze();
        try (Socket client = connect()) {
            client.getOutputStream().write('x');
            assertSilent(client);
            assertThat(echo.connections()).isZero();

            proxy.pass();

            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
    }

    @Test
    void a_frozen_wire_hides_that_the_client_left() throws Exception {
        try (Socket client = connect()) {
            ask(client, 'a');
            proxy.freeze();
        }
        Await.until("100 ms have passed", PATIENCE, passed(100));
        assertThat(echo.connections()).isEqualTo(1);

        proxy.pass();

        Await.until("the server sees it", PATIENCE, () -> echo.connections() == 0);
    }

    @Test
    void a_frozen_wire_keeps_back_pressure() throws Exception {
        AtomicLong written = new AtomicLong();
        try (Socket client = connect()) {
            ask(client, 'a');
            proxy.freeze();
            Thread writer = Thread.ofVirtual().start(() -> writeForEver(client, written));
            AtomicLong before = new AtomicLong(-1);

            Await.until("the writer is stuck", PATIENCE, () -> {
                Await.until("300 ms have passed", PATIENCE, passed(300));
                return before.getAndSet(written.get()) == written.get();
            });

            assertThat(written.get()).isLessThan(64L << 20);
            proxy.dropAll();
            writer.join();
        }
    }

    @Test
    void refuse_closes_everything_and_pass_listens_again_on_the_same_port() throws Exception {
        try (Socket client = connect()) {
            ask(client, 'a');

            proxy.refuse();

            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            Await.until("the server sees it", PATIENCE, () -> echo.connections() == 0);
        }
        proxy.pass();
        try (Socket client = connect()) {
            ask(client, 'b');
        }
    }

    @Test
    void refuse_and_pass_take_effect_before_they_return() throws Exception {
        for (int round = 0; round < 200; round++) {
            proxy.refuse();
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            proxy.pass();
            try (Socket client = connect()) {
                ask(client, round & 127);
            }
        }
    }

    @Test
    void refuse_ends_connections_that_wait_on_a_frozen_wire() throws Exception {
        try (Socket old = connect()) {
            ask(old, 'a');
            proxy.freeze();
            try (Socket waiting = connect()) {
                Await.until("both are there", PATIENCE, () -> proxy.connections() == 2);

                proxy.refuse();

                assertThat(old.getInputStream().read()).isEqualTo(-1);
                assertThat(waiting.getInputStream().read()).isEqualTo(-1);
            }
        }
        Await.until("the server sees it", PATIENCE, () -> echo.connections() == 0);
    }

    @Test
    void drop_all_resets_present_connections_only() throws Exception {
        try (Socket client = connect()) {
            ask(client, 'a');

            proxy.dropAll();

            assertThatThrownBy(() -> client.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        try (Socket client = connect()) {
            ask(client, 'b');
        }
    }

    @Test
    void a_target_that_is_down_resets_the_client() throws Exception {
        proxy.retarget("127.0.0.1", FreePorts.one());
        try (Socket client = connect()) {
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    @Test
    void retarget_sends_new_connections_elsewhere() throws Exception {
        try (SocketServer other =
                        SocketServer.start(socket -> socket.getOutputStream().write('o'));
                Socket old = connect()) {
            ask(old, 'a');

            proxy.retarget("127.0.0.1", other.port());

            try (Socket fresh = connect()) {
                assertThat(fresh.getInputStream().read()).isEqualTo('o');
            }
            ask(old, 'b');
        }
    }

    @Test
    void close_is_final() throws Exception {
        proxy.close();

        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertThatThrownBy(proxy::pass).isInstanceOf(IllegalStateException.class);
    }

    private static BooleanSupplier passed(long millis) {
        long start = System.nanoTime();
        return () -> System.nanoTime() - start >= millis * 1_000_000;
    }

    private static void ask(Socket client, int value) throws IOException {
        client.getOutputStream().write(value);
        assertThat(client.getInputStream().read()).isEqualTo(value);
    }

    private static void assertSilent(Socket client) throws IOException {
        client.setSoTimeout(150);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout((int) PATIENCE.toMillis());
    }

    private static void writeAndFinish(Socket client, byte[] bytes) {
        try {
            client.getOutputStream().write(bytes);
            client.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeForEver(Socket client, AtomicLong written) {
        byte[] chunk = new byte[8_192];
        try {
            while (true) {
                client.getOutputStream().write(chunk);
                written.addAndGet(chunk.length);
            }
        } catch (IOException dropped) {
            // the end of the test
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }
}
