package dev.penstock.router.auth;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import dev.penstock.router.auth.TrustedKeys.KeyName;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON Web Key Set (RFC 7517): RSA keys for RS256, P-256 keys for ES256, Ed25519 keys for EdDSA. Keys that are not
 * for signatures or of another kind are left out, as the RFC asks; secret ones are refused.
 */
final class JwksFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
    private static final Set<String> KINDS = Set.of("RSA", "EC", "OKP");
    private static final int LEAST_RSA_BITS = 2048;
    private static final String SET = "a JSON Web Key Set like {\"keys\": [...]}";
    private static final String PUBLIC = "public keys only; take the secret out, and replace the key";

    private final Faults faults;
    private final Map<KeyName, JWSVerifier> nameToCheck = new HashMap<>();

    private JwksFile(Faults faults) {
        this.faults = faults;
    }

    /** Only to be used when there are no faults. */
    static TrustedKeys parse(String json, Faults faults) {
        JwksFile file = new JwksFile(faults);
        try {
            file.read(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            // Its message may quote the file.
            JsonLocation at = e.getLocation();
            faults.add(at == null ? "the file" : "line " + at.getLineNr(), "not JSON, or names a field twice", SET);
        }
        return new TrustedKeys(file.nameToCheck);
    }

    private void read(@Nullable JsonNode root) {
        JsonNode keys = root == null ? null : root.get("keys");
        if (keys == null || !keys.isArray()) {
            faults.add("the file", "something else", SET);
            return;
        }
        for (int i = 0; i < keys.size(); i++) key("keys[" + i + "]", keys.get(i));
        if (nameToCheck.isEmpty() && faults.isEmpty()) {
            faults.add("keys", "a list without a usable key", "RSA (RS256), EC P-256 (ES256) or Ed25519 (EdDSA) keys");
        }
    }

    private void key(String at, JsonNode node) {
        String kind = node.path("kty").asText("");
        if (kind.equals("oct")) {
            faults.add(at, "a shared secret", PUBLIC);
        } else if (KINDS.contains(kind)) {
            try {
                known(at, JWK.parse(node.toString()));
            } catch (ParseException | JOSEException | GeneralSecurityException | RuntimeException e) {
                faults.add(at, "no sound " + kind + " key", "one by RFC 7517 or RFC 8037");
            }
        } else if (kind.isEmpty()) {
            faults.add(at, "a key without a kind", "kty, such as RSA");
        }
    }

    private void known(String at, JWK key) throws JOSEException, GeneralSecurityException {
        if (key.isPrivate()) {
            faults.add(at, "a private key", PUBLIC);
            return;
        }
        JWSAlgorithm algorithm = algorithm(key);
        if (algorithm == null) return;
        if (key instanceof RSAKey rsa && rsa.size() < LEAST_RSA_BITS) {
            faults.add(at, "an RSA key of " + rsa.size() + " bits", "at least " + LEAST_RSA_BITS);
            return;
        }
        String id = key.getKeyID() == null ? "" : key.getKeyID();
        if (nameToCheck.put(new KeyName(algorithm, id), check(key)) != null) {
            faults.add(at + ".kid", "that of an earlier key", "another kid for each key of an algorithm");
        }
    }

    /** What the key signs with; null when that is not taken here. */
    private static @Nullable JWSAlgorithm algorithm(JWK key) {
        if (key.getKeyUse() != null && !key.getKeyUse().equals(KeyUse.SIGNATURE)) return null;
        JWSAlgorithm algorithm = null;
        if (key instanceof RSAKey) algorithm = JWSAlgorithm.RS256;
        else if (key instanceof ECKey ec && ec.getCurve().equals(Curve.P_256)) algorithm = JWSAlgorithm.ES256;
        else if (key instanceof OctetKeyPair okp && okp.getCurve().equals(Curve.Ed25519))
            algorithm = JWSAlgorithm.EdDSA;
        return key.getAlgorithm() == null || key.getAlgorithm().equals(algorithm) ? algorithm : null;
    }

    private static JWSVerifier check(JWK key) throws JOSEException, GeneralSecurityException {
        if (key.getKeyType().equals(KeyType.RSA)) return new RSASSAVerifier(key.toRSAKey());
        return key.getKeyType().equals(KeyType.EC)
                ? new ECDSAVerifier(key.toECKey())
                : new Ed25519Check(key.toOctetKeyPair());
    }
}
