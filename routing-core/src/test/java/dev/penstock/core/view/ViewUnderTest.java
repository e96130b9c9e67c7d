package dev.penstock.core.view;

import dev.penstock.core.Fleet;
import dev.penstock.model.Freshness;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Verdict;

/** All that these properties ask of the production view, on a clock that overflows 3 s into the scenario. */
final class ViewUnderTest {
    private static final long ORIGIN = Long.MAX_VALUE - 3_000 * SourceFleet.MS;

    private final FleetView view = new FleetView("router-0", 1);

    void join(int number) {
        view.apply(Fleet.roster(number, "u", false));
    }

    void apply(RosterRecord roster, long at) {
        view.apply(roster, ORIGIN + at);
    }

    void apply(HealthRecord verdict, long at) {
        view.apply(verdict, ORIGIN + at);
    }

    void apply(TelemetryFrame frame, long at) {
        view.apply(frame, ORIGIN + at);
    }

    void apply(InflightVector vector, long at) {
        view.apply(vector, ORIGIN + at);
    }

    /** What a router does a few times a second without a record. */
    void upkeep(long at) {
        view.refresh(ORIGIN + at);
    }

    /** The replica's requests take this long. */
    void served(int number, long nanos) {
        cell(number).served(nanos);
    }

    void send(int number) {
        cell(number).acquire();
    }

    ReplicaCell.Telemetry shown(int number) {
        return cell(number).telemetry();
    }

    Freshness freshness(int number, long at) {
        return shown(number).freshness(ORIGIN + at);
    }

    int peersMilli(int number) {
        return cell(number).peersMilli();
    }

    long loadMilli(int number, long at) {
        return cell(number).loadMilli();
    }

    Verdict verdict(int number, long at) {
        return cell(number).health().at(ORIGIN + at);
    }

    String uid(int number) {
        return entry(number).replica().uid();
    }

    private ReplicaCell cell(int number) {
        return entry(number).cell();
    }

    private ReplicaEntry entry(int number) {
        ReplicaEntry entry = view.current().byNumber(number);
        if (entry == null) throw new IllegalStateException("replica " + number + " is not in the view");
        return entry;
    }
}
