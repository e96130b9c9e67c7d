package dev.penstock.router.endings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** A port where connects are neither taken nor refused: nobody accepts, and the queue of those who wait is full. */
final class BlackHole implements AutoCloseable {
    private final ServerSocket listener;
    private final List<SocketChannel> waiting = new ArrayList<>();

    BlackHole() {
        try {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            // Linux takes one more than it is told to; what comes after that fills the queue of half-open ones.
            for (int i = 0; i < 4; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                waiting.add(channel);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() {
        try {
            for (SocketChannel channel : waiting) channel.close();
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
