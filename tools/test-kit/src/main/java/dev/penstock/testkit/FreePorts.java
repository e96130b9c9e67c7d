package dev.penstock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
    /** Simulated engines of a local stack have fixed ports from here on. */
    private static final int ENGINES = 20_000;

    private static final int ENGINES_END = 22_000;
    /** The highest are for {@link #base}: what is taken one by one can't come in between. */
    private static final int FOR_BASES = 4_000;

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
                int port = ThreadLocalRandom.current().nextInt(LOWEST, highest - FOR_BASES);
                if (port >= ENGINES && port < ENGINES_END) continue;
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

    /** A port p such that p and p + each of the offsets are free, where ports are given as a base. */
    public static int base(int... offsets) {
        try {
            int highest = firstOutgoingPort();
            int most = Arrays.stream(offsets).max().orElse(0);
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                int port = ThreadLocalRandom.current().nextInt(highest - FOR_BASES, highest - most);
                if (free(port, offsets)) return port;
            }
            throw new IOException("no port with " + Arrays.toString(offsets) + " behind it is free");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean free(int port, int... offsets) {
        List<ServerSocket> bound = new ArrayList<>();
        try {
            bound.add(bind(port));
            for (int offset : offsets) bound.add(bind(port + offset));
            return true;
        } catch (IOException taken) {
            return false;
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
