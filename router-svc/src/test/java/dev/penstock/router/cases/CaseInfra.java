package dev.penstock.router.cases;

import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.ScriptedReplica;

/** The Kafka, the Redis and the feed of all cases, apart from those of other tests. One resident replica makes routers start at once. */
public final class CaseInfra implements AutoCloseable {
    private final FreshInfra infra = FreshInfra.start();
    private final FleetFeed feed = new FleetFeed(infra);
    private final ScriptedReplica resident = ScriptedReplica.start("resident", Plan.json(200, "{}"));

    CaseInfra() {
        feed.add("resident", resident.port());
    }

    public FreshInfra infra() {
        return infra;
    }

    public FleetFeed feed() {
        return feed;
    }

    @Override
    public void close() {
        resident.close();
        feed.close();
        infra.close();
    }
}
