package dev.penstock.kit.registry;

import dev.penstock.model.ClaimRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.wire.MalformedRecordException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The highest claim of each role. One thread. */
final class StandingClaims {
    private final Map<String, StandingClaim> claims = new HashMap<>();

    /** What stands from here on, or null when nothing changed: older claims never revive. */
    @Nullable
    StandingClaim record(ClaimRecord claim, long offset) throws MalformedRecordException {
        StandingClaim standing = claims.get(claim.role());
        Holder by = writer(claim.header());
        if (standing != null && offset <= standing.epoch()) return null;
        StandingClaim now = new StandingClaim(claim.role(), by, offset, claim.address(), claim.released());
        claims.put(claim.role(), now);
        return now;
    }

    private static Holder writer(Header header) throws MalformedRecordException {
        try {
            return new Holder(header.producer(), header.incarnation());
        } catch (IllegalArgumentException e) {
            throw new MalformedRecordException("claim", e);
        }
    }

    Collection<StandingClaim> all() {
        return List.copyOf(claims.values());
    }

    @Nullable
    StandingClaim of(String role) {
        return claims.get(role);
    }

    long floorEpoch(String role) {
        StandingClaim standing = claims.get(role);
        return standing == null ? Header.NO_EPOCH : standing.epoch();
    }

    Map<String, Long> floorEpochs() {
        Map<String, Long> floors = new HashMap<>();
        claims.forEach((role, standing) -> floors.put(role, standing.epoch()));
        return Map.copyOf(floors);
    }
}
