package dev.penstock.router.fleet;

import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The router's own TCP connects to replicas it has quarantined, when their wait is over and, as long as health-svc is heard
 * of, a deep probe has passed since. Lives on the view's context.
 */
public final class OwnConnects {
    private static final int CONNECT_MILLIS = 1_000;

    private final FleetView view;
    private final NetClient client;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final Set<Integer> underWay = new HashSet<>();

    public OwnConnects(Vertx vertx, FleetView view, LongSupplier nanoClock, RandomGenerator random) {
        this.view = view;
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(CONNECT_MILLIS));
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /** Called a few times a second; at most one connect per replica is under way. */
    public void tryDue() {
        long now = nanoClock.getAsLong();
        for (ReplicaEntry entry : view.current().entries()) {
            if (entry.cell().quarantine() instanceof Quarantine.Shut shut
                    && shut.connectDue(now)
                    && (view.healthSilent(now) || entry.cell().probePassedSince(shut))
                    && underWay.add(entry.replica().number())) {
                connect(entry);
            }
        }
    }

    private void connect(ReplicaEntry entry) {
        URI endpoint = URI.create(entry.replica().endpoint());
        int port = endpoint.getPort() < 0 ? 80 : endpoint.getPort();
        client.connect(port, endpoint.getHost()).onComplete(result -> {
            underWay.remove(entry.replica().number());
            entry.cell().connectResult(result.succeeded(), nanoClock.getAsLong(), random);
            if (result.succeeded()) result.result().close();
        });
    }
}
