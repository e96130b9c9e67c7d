package dev.penstock.kit.listen;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.spi.transport.Transport;
import java.net.SocketAddress;
import java.util.concurrent.ThreadFactory;

/** A transport of Vert.x's as it is, but for the connections that are accepted by it: they begin with {@link FirstBytes}. */
final class ListeningTransport implements Transport {
    private final Transport of;

    private final Accepting accepting;

    ListeningTransport(Transport of, Accepting accepting) {
        this.of = of;
        this.accepting = accepting;
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        ChannelFactory<? extends ServerChannel> listeners = of.serverChannelFactory(domainSocket);
        return () -> {
            ServerChannel listener = listeners.newChannel();
            listener.pipeline().addLast(accepting);
            return listener;
        };
    }

    @Override
    public boolean supportsDomainSockets() {
        return of.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return of.supportFileRegion();
    }

    @Override
    public SocketAddress convert(io.vertx.core.net.SocketAddress address) {
        return of.convert(address);
    }

    @Override
    public io.vertx.core.net.SocketAddress convert(SocketAddress address) {
        return of.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return of.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ioRatio) {
        return of.eventLoopGroup(type, threads, factory, ioRatio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return of.datagramChannel();
    }

    @Override
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return of.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return of.channelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        of.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int connectMillis, boolean domainSocket, Bootstrap bootstrap) {
        of.configure(options, connectMillis, domainSocket, bootstrap);
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        of.configure(options, domainSocket, bootstrap);
    }
}
