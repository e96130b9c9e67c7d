package dev.penstock.kit.registry;

import dev.penstock.model.Holder;
import org.jspecify.annotations.Nullable;

/**
 * The highest claim of a role.
 *
 * @param owner the incarnation that made it
 * @param epoch its offset
 * @param address {@code host:port}, when the owner is called
 * @param released it was given up: nobody owns the role, and owners of lower epochs never will again
 */
public record StandingClaim(
        String role, Holder owner, long epoch, @Nullable String address, boolean released) {
    /** As {@code Incarnation.memberId} has it. */
    public String memberId() {
        return owner.toString();
    }
}
