package dev.penstock.fleetsim;

import dev.penstock.core.pick.Routing;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.core.view.VectorWriter;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TelemetryFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One incarnation of a router: the production view, and the vectors that it sends.
 *
 * <p>The witness view hears everything but one incarnation. What the view counts for peers beyond the witness is what it
 * still counts for that one.
 */
final class SimRouter {
    private final String name;
    private final long incarnation;
    private final Picker picker;
    private final RawPeers rawPeers;
    private final Policy.Hearing hearing;
    private final FleetView view;
    private final FleetView witness;
    private final VectorWriter vectors;
    private final PrefixMatch nothing = new PrefixMatch();
    private @Nullable RouterPrefixes prefixes;
    private long unheardIncarnation = -1;
    private long witnessFromNanos = Long.MAX_VALUE;
    private long arrived;
    private int attempts;
    private boolean alive = true;

    /**
     * @param rawPeers kept beside the view, for pickers that look at nothing else
     * @param hearing what is kept of the vectors of others
     */
    SimRouter(
            String name,
            long incarnation,
            List<RosterRecord> roster,
            Picker picker,
            RawPeers rawPeers,
            Policy.Hearing hearing,
            long nowNanos) {
        this.name = name;
        this.incarnation = incarnation;
        this.picker = picker;
        this.rawPeers = rawPeers;
        this.hearing = hearing;
        this.view = new FleetView(name, incarnation);
        this.witness = new FleetView(name, incarnation);
        this.vectors = new VectorWriter(name, incarnation);
        for (RosterRecord each : roster) view.apply(each, nowNanos);
    }

    /** It looks at prompts from here on. */
    void look(RouterPrefixes at) {
        prefixes = at;
    }

    @Nullable
    RouterPrefixes prefixes() {
        return prefixes;
    }

    /** Has the witness hear all but that incarnation, from that time on: a second later it knows everybody. */
    void leaveUnheard(long unheard, long fromNanos, List<RosterRecord> roster) {
        unheardIncarnation = unheard;
        witnessFromNanos = fromNanos;
        for (RosterRecord each : roster) witness.apply(each, fromNanos);
    }

    String name() {
        return name;
    }

    long incarnation() {
        return incarnation;
    }

    FleetView view() {
        return view;
    }

    boolean alive() {
        return alive;
    }

    /** A router listens for clients from its first candidate on. */
    boolean listening() {
        if (!alive) return false;
        for (ReplicaEntry entry : view.current().entries()) if (entry.cell().candidate()) return true;
        return false;
    }

    void kill() {
        alive = false;
    }

    /** A request of which nothing matters. */
    @Nullable
    ReplicaEntry route(long nowNanos) {
        return route(Demand.ofTime(0), nowNanos);
    }

    @Nullable
    ReplicaEntry route(Demand demand, long nowNanos) {
        arrived++;
        attempts = 0;
        RouterPrefixes known = prefixes;
        if (known != null) known.look(demand, nowNanos);
        var ask = new Picker.Ask(demand, known == null ? nothing : known.match());
        ReplicaEntry entry = attempt(picker.pick(view.current(), ask, nowNanos));
        if (known != null && entry != null) known.sent(entry.replica().number(), nowNanos);
        return entry;
    }

    /** The same request, which that replica refused to be connected for. */
    @Nullable
    ReplicaEntry routeElsewhere(ReplicaEntry refused, long nowNanos) {
        refused.cell().release();
        return attempts == Routing.MAX_ATTEMPTS ? null : attempt(picker.pickAgain(view.current(), nowNanos));
    }

    private @Nullable ReplicaEntry attempt(@Nullable ReplicaEntry entry) {
        attempts++;
        if (entry != null) entry.cell().acquire();
        return entry;
    }

    /** Both views learn service times alike: they differ in the dead one only. */
    void served(int number, long latencyNanos, long firstByteNanos) {
        served(view, number, latencyNanos, firstByteNanos);
        if (witnessed()) served(witness, number, latencyNanos, firstByteNanos);
    }

    private static void served(FleetView by, int number, long latencyNanos, long firstByteNanos) {
        ReplicaEntry entry = by.current().byNumber(number);
        if (entry == null) return;
        entry.cell().served(latencyNanos);
        entry.cell().firstByte(firstByteNanos);
    }

    private boolean witnessed() {
        return witnessFromNanos != Long.MAX_VALUE;
    }

    void receive(PrefixNews news, long nowNanos) {
        if (alive && prefixes != null) prefixes.receive(news, nowNanos);
    }

    /** A replica that has come. */
    void receive(RosterRecord record, long nowNanos) {
        if (!alive) return;
        view.apply(record, nowNanos);
        if (witnessed()) witness.apply(record, nowNanos);
    }

    void receive(TelemetryFrame frame, long nowNanos) {
        if (!alive) return;
        view.apply(frame, nowNanos);
        if (nowNanos >= witnessFromNanos) witness.apply(frame, nowNanos);
    }

    void receive(InflightVector vector, long nowNanos) {
        if (!alive) return;
        if (hearing == Policy.Hearing.RAW && vector.header().incarnation() != incarnation) rawPeers.apply(vector);
        if (hearing != Policy.Hearing.ESTIMATES) return;
        view.apply(vector, nowNanos);
        if (nowNanos >= witnessFromNanos && vector.header().incarnation() != unheardIncarnation) {
            witness.apply(vector, nowNanos);
        }
    }

    void refresh(long nowNanos) {
        if (hearing != Policy.Hearing.ESTIMATES) return;
        view.refresh(nowNanos);
        if (nowNanos >= witnessFromNanos) witness.refresh(nowNanos);
    }

    /** Requests, in thousandths, that the view counts for the unheard incarnation. */
    long deadMilli() {
        long sum = 0;
        RosterImage without = witness.current();
        for (ReplicaEntry entry : view.current().entries()) {
            ReplicaEntry other = without.byNumber(entry.replica().number());
            if (other != null) sum += entry.cell().peersMilli(0) - other.cell().peersMilli(0);
        }
        return sum;
    }

    InflightVector vector(long nowNanos) {
        var arrivals = List.of(new InflightVector.PoolArrivals(PoolId.localFor(Replicas.MODEL), arrived));
        return vectors.next(view.current(), arrivals, null, nowNanos);
    }
}
