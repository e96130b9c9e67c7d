package dev.penstock.router.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Makes keys and tokens as an identity provider does; the keys are new in each run. */
final class Signers {
    static final RSAKey RSA = rsa("rsa-1", 2048);
    static final RSAKey NEXT_RSA = rsa("rsa-2", 2048);
    static final ECKey EC = ec("ec-1");
    static final KeyPair ED25519 = ed25519();

    private Signers() {}

    static RSAKey rsa(String id, int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static OctetKeyPair ed25519Public(String id) {
        byte[] x509 = ED25519.getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(x509, x509.length - 32, x509.length);
        return new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(point))
                .keyID(id)
                .build();
    }

    static String jwks(JWK... keys) {
        return List.of(keys).stream()
                .map(key -> key.toPublicJWK().toJSONString())
                .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }

    static String token(RSAKey key, JWTClaimsSet claims) throws JOSEException {
        return token(new RSASSASigner(key), header(JWSAlgorithm.RS256, key), claims);
    }

    static String token(ECKey key, JWTClaimsSet claims) throws JOSEException {
        return token(new ECDSASigner(key), header(JWSAlgorithm.ES256, key), claims);
    }

    static String token(JWSSigner signer, JWSHeader header, JWTClaimsSet claims) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    static String ed25519Token(String id, JWTClaimsSet claims) throws GeneralSecurityException {
        String signed = base64("{\"alg\":\"EdDSA\",\"kid\":\"" + id + "\"}") + "." + base64(claims.toString());
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(ED25519.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + Base64URL.encode(signature.sign());
    }

    static String base64(String text) {
        return Base64URL.encode(text).toString();
    }

    private static JWSHeader header(JWSAlgorithm algorithm, JWK key) {
        return new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build();
    }

    private static KeyPair ed25519() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
