package dev.penstock.kit.registry;

import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord.Left;
import dev.penstock.model.RegistryRecord.Registered;
import dev.penstock.model.RegistryRecord.Settled;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one incarnation.
 *
 * @param registration null when only other facts of it are left
 * @param left null while it is not known to have left
 * @param death why it is known to be dead, in words; null while it is not
 * @param settled what owners found home of a dead one, by pool
 */
public record RegisteredHolder(
        Holder holder,
        @Nullable Registered registration,
        @Nullable Left left,
        @Nullable String death,
        Map<PoolId, Settled> settled) {
    public RegisteredHolder {
        settled = Map.copyOf(settled);
    }

    public boolean dead() {
        return death != null;
    }
}
