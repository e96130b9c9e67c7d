package dev.penstock.kit.claims;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When to claim a role. The rendezvous-first live member claims it, and only when nobody live has it: an owner that lives is
 * never displaced, so a member that comes back does not move roles about.
 */
final class ClaimRule {
    private ClaimRule() {}

    /** The latest claim of a role, as read from the topic. */
    record Standing(String memberId, long epoch, boolean released) {}

    static boolean shouldClaim(String role, String self, List<String> live, @Nullable Standing standing) {
        if (!live.contains(self) || !self.equals(Rendezvous.first(live, role))) return false;
        if (standing == null || standing.released()) return true;
        return !standing.memberId().equals(self) && !live.contains(standing.memberId());
    }
}
