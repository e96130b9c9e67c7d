package dev.penstock.router.job;

import dev.penstock.core.view.FleetView;
import dev.penstock.model.RelayPolicy;
import dev.penstock.model.Replica;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a request has to go that goes on from a stored answer. One event loop's. */
public final class Previous {
    private static final Found NOT_OURS = new Found.NotOurs();
    private static final Found GONE = new Found.Gone();
    private static final Found OF_ANOTHER_MODEL = new Found.OfAnotherModel();

    private final FleetView view;
    private final JobIds ids;

    public Previous(FleetView view, JobIds ids) {
        this.view = view;
        this.ids = ids;
    }

    /** What a {@code previous_response_id} says. */
    public sealed interface Found {
        /** There is none, or it is none of ours: an engine may judge it. */
        record NotOurs() implements Found {}

        /**
         * That replica has it, under that name.
         *
         * @param model as which the replica serves what was asked for
         */
        record At(int replica, String engineId, String model) implements Found {}

        record Gone() implements Found {}

        /** Who has it does not serve what was asked for. */
        record OfAnotherModel() implements Found {}
    }

    /**
     * @param model that is asked for, by the engines' name
     * @param split what requests for it go to; empty = to itself
     */
    public Found find(@Nullable String previousResponseId, String tenant, String model, List<RelayPolicy.Split> split) {
        JobId id = previousResponseId == null ? null : ids.read(JobKind.RESPONSE, tenant, previousResponseId);
        if (id == null) return NOT_OURS;
        return switch (Owners.of(id, view)) {
            case Owners.Gone gone -> GONE;
            // A decision without a replica says so itself.
            case Owners.Unknown unknown -> new Found.At(id.replica(), id.engineId(), model);
            case Owners.Present present -> {
                String served = served(present.replica().replica(), model, split);
                yield served == null ? OF_ANOTHER_MODEL : new Found.At(id.replica(), id.engineId(), served);
            }
        };
    }

    /** A conversation stays with the part of a split that it began with. */
    private static @Nullable String served(Replica owner, String model, List<RelayPolicy.Split> split) {
        if (split.isEmpty()) return owner.models().contains(model) ? model : null;
        for (RelayPolicy.Split each : split) if (owner.models().contains(each.model())) return each.model();
        return null;
    }
}
