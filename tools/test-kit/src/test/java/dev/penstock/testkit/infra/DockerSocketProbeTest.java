package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.SocketServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerSocketProbeTest {
    @Test
    void a_daemon_answers_on_tcp_and_has_one_image() throws Exception {
        try (SocketServer daemon = SocketServer.start(DockerSocketProbeTest::answer)) {
            DockerSocketProbe probe = new DockerSocketProbe("tcp://127.0.0.1:" + daemon.port());

            assertThat(probe.daemonProblem()).isEmpty();
            assertThat(probe.hasImage("apache/kafka:4.1.2")).isTrue();
            assertThat(probe.hasImage("redis:6.2")).isFalse();
        }
    }

    @Test
    void a_daemon_answers_on_a_unix_socket(@TempDir Path dir) throws Exception {
        Path path = dir.resolve("d.sock");
        try (ServerSocketChannel daemon = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            daemon.bind(UnixDomainSocketAddress.of(path));
            Thread.ofPlatform().daemon().start(() -> answerOnce(daemon));

            assertThat(new DockerSocketProbe("unix://" + path).daemonProblem()).isEmpty();
        }
    }

    @Test
    void no_socket_and_no_listener_and_no_answer_are_told() throws Exception {
        assertThat(new DockerSocketProbe("unix:///nowhere/docker.sock").daemonProblem())
                .hasValueSatisfying(reason -> assertThat(reason).contains("/nowhere/docker.sock", "no such socket"));
        assertThat(new DockerSocketProbe("tcp://127.0.0.1:" + FreePorts.one()).daemonProblem())
                .hasValueSatisfying(reason -> assertThat(reason).contains("refused"));
        assertThat(new DockerSocketProbe("ssh://elsewhere").daemonProblem())
                .hasValueSatisfying(reason -> assertThat(reason).contains("only unix and tcp"));
        try (SocketServer mute =
                SocketServer.start(socket -> socket.getInputStream().readAllBytes())) {
            assertThat(new DockerSocketProbe("tcp://127.0.0.1:" + mute.port()).daemonProblem())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("no answer"));
        }
    }

    private static void answer(Socket socket) throws Exception {
        var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        String line = reader.readLine();
        while (!reader.readLine().isEmpty()) {}
        boolean known = line.startsWith("GET /_ping ") || line.startsWith("GET /images/apache/kafka:4.1.2/json ");
        String status = known ? "200 OK" : "404 Not Found";
        socket.getOutputStream().write(("HTTP/1.0 " + status + "\r\n\r\nOK").getBytes(StandardCharsets.US_ASCII));
    }

    private static void answerOnce(ServerSocketChannel daemon) {
        try (SocketChannel channel = daemon.accept()) {
            channel.read(ByteBuffer.allocate(1_024));
            channel.write(ByteBuffer.wrap("HTTP/1.0 200 OK\r\n\r\nOK".getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
