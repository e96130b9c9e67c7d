package dev.penstock.router.auth;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Public keys whose signatures count, each for one algorithm: the one that is asked for is the key's, never the token's
 * choice, so that a public key is not taken for a shared secret. Immutable.
 */
record TrustedKeys(Map<KeyName, JWSVerifier> nameToCheck) {
    static final TrustedKeys NONE = new TrustedKeys(Map.of());

    /**
     * @param id the {@code kid}; empty for a key that has none
     */
    record KeyName(JWSAlgorithm algorithm, String id) {}

    TrustedKeys {
        nameToCheck = Map.copyOf(nameToCheck);
    }

    boolean isEmpty() {
        return nameToCheck.isEmpty();
    }

    /** A token that names no key is taken where its algorithm has only one: one signature is checked, not many. */
    @Nullable
    JWSVerifier find(JWSAlgorithm algorithm, @Nullable String id) {
        if (id != null && !id.isEmpty()) return nameToCheck.get(new KeyName(algorithm, id));
        JWSVerifier only = null;
        for (Map.Entry<KeyName, JWSVerifier> each : nameToCheck.entrySet()) {
            if (!each.getKey().algorithm().equals(algorithm)) continue;
            if (only != null) return null;
            only = each.getValue();
        }
        return only;
    }

    /** For logs. */
    String summary() {
        return nameToCheck.size() + " public keys";
    }
}
