package dev.penstock.testkit.infra;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the daemon's socket itself, two seconds at most. Testcontainers' own check logs an error where there is no Docker,
 * and may pull an image to find its gateway, which hangs where there is no registry.
 */
final class DockerSocketProbe implements DockerProbe {
    private static final String DEFAULT_HOST = "unix:///var/run/docker.sock";
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final int MAX_ANSWER_BYTES = 64 * 1024;

    private final String dockerHost;

    /** @param dockerHost the value of DOCKER_HOST, or empty for the default socket */
    DockerSocketProbe(String dockerHost) {
        this.dockerHost = dockerHost.isBlank() ? DEFAULT_HOST : dockerHost;
    }

    @Override
    public Optional<String> daemonProblem() {
        try {
            String status = statusOf("/_ping");
            return status.contains(" 200 ") ? Optional.empty() : Optional.of(dockerHost + " answered " + status);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of("no daemon at " + dockerHost + " (" + e.getMessage() + ")");
        }
    }

    @Override
    public boolean hasImage(String image) {
        try {
            return statusOf("/images/" + image + "/json").contains(" 200 ");
        } catch (IOException e) {
            return false;
        }
    }

    private String statusOf(String path) throws IOException {
        URI host = URI.create(dockerHost);
        boolean unix = "unix".equals(host.getScheme());
        if (!unix && !"tcp".equals(host.getScheme())) throw new IOException("only unix and tcp sockets are asked");
        if (unix && !Files.exists(Path.of(host.getPath()))) throw new IOException("no such socket");
        SocketAddress address = unix
                ? UnixDomainSocketAddress.of(host.getPath())
                : new InetSocketAddress(host.getHost(), host.getPort() < 0 ? 2375 : host.getPort());
        try (SocketChannel channel = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open()) {
            FutureTask<String> task = new FutureTask<>(() -> exchange(channel, address, path));
            Thread.ofPlatform().daemon().name("docker-probe").start(task);
            return task.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer in " + DEADLINE.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String exchange(SocketChannel channel, SocketAddress address, String path) throws IOException {
        channel.connect(address);
        String request = "GET " + path + " HTTP/1.0\r\nHost: docker\r\n\r\n";
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) channel.write(bytes);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        ByteBuffer part = ByteBuffer.allocate(4_096);
        while (answer.size() < MAX_ANSWER_BYTES && channel.read(part) >= 0) {
            answer.write(part.array(), 0, part.position());
            part.clear();
        }
        return answer.toString(StandardCharsets.US_ASCII).lines().findFirst().orElse("nothing");
    }
}
