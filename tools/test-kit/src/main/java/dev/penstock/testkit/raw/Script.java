package dev.penstock.testkit.raw;

import java.util.List;

/** Which plan a request gets. Called on the thread of the request's connection. */
@FunctionalInterface
public interface Script {
    Plan planFor(SeenRequest request);

    static Script always(Plan plan) {
        return request -> plan;
    }

    /** The n-th request since the script was set gets the n-th plan, or the last. */
    static Script inTurn(Plan... plans) {
        List<Plan> all = List.of(plans);
        return request -> all.get(Math.min(request.turn(), all.size() - 1));
    }

    /** The n-th request of each connection gets the n-th plan, or the last. */
    static Script perConnection(Plan... plans) {
        List<Plan> all = List.of(plans);
        return request -> all.get(Math.min(request.turnOnConnection(), all.size() - 1));
    }
}
