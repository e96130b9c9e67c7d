package dev.penstock.relaybench;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.SocketAddress;

/** {@link BareRelay} as a process: {@code PORT UPSTREAM_HOST UPSTREAM_PORT}. Says {@code ready TRANSPORT} when it listens. */
public final class BareMain {
    private BareMain() {}

    public static void main(String[] args) {
        int loops = Runtime.getRuntime().availableProcessors();
        Vertx vertx =
                Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(loops));
        int port = Integer.parseInt(args[0]);
        SocketAddress upstream = SocketAddress.inetSocketAddress(Integer.parseInt(args[2]), args[1]);
        vertx.deployVerticle(() -> new BareRelay(port, upstream), new DeploymentOptions().setInstances(loops))
                .onComplete(
                        deployed -> System.out.println("ready " + (vertx.isNativeTransportEnabled() ? "epoll" : "nio")),
                        failure -> {
                            System.err.println(failure);
                            System.exit(1);
                        });
    }
}
