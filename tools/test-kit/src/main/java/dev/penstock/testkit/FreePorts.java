package dev.penstock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free loopback ports. All are bound at once, so they differ, and then released.
 *
 * <p>They lie below the range the kernel takes outgoing ports from: a client that keeps connecting to a stopped server's
 * port inside that range can be given the very port and connect to itself, and then the server cannot come back.
 */
public final class FreePorts {
    private static final Path OUTGOING_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int LOWEST = 10_240;
    private static final int DEFAULT_OUTGOING = 32_768;
    private static final int ATTEMPTS = 2_000;

    private FreePorts() {}

    public static int one() {
        return take(1).get(0);
    }

    public static List<Integer> take(int count) {
        List<ServerSocket> bound = new ArrayList<>();
        try {
            int highest = firstOutgoingPort();
            for (int attempt = 0; bound.size() < count; attempt++) {
                if (attempt == ATTEMPTS) throw new IOException(count + " free ports wanted, found " + bound.size());
                int port = ThreadLocalRandom.current().nextInt(LOWEST, highest);
                try {
                    bound.add(bind(port));
                } catch (IOException taken) {
                    // another draw finds another port
                }
            }
            return bound.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            bound.forEach(FreePorts::release);
        }
    }

    private static int firstOutgoingPort() throws IOException {
        if (!Files.isReadable(OUTGOING_RANGE)) return DEFAULT_OUTGOING;
        int first = Integer.parseInt(Files.readString(OUTGOING_RANGE).strip().split("\\s+", 2)[0]);
        return first > LOWEST + 1_000 ? first : DEFAULT_OUTGOING;
    }

    private static ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static void release(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
