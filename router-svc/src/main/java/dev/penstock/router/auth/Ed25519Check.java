package dev.penstock.router.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Set;

/** RFC 8037 by the JDK's own Ed25519: the library's wants Tink, which brings Gson and protobuf. Any thread. */
final class Ed25519Check extends BaseJWSProvider implements JWSVerifier {
    private static final String ALGORITHM = "Ed25519";
    private static final int KEY_BYTES = 32;

    /** What stands before the 32 bytes of a key in its X.509 form (RFC 8410 section 4). */
    private static final byte[] X509_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    Ed25519Check(OctetKeyPair key) throws GeneralSecurityException {
        super(Set.of(JWSAlgorithm.EdDSA));
        byte[] point = key.getDecodedX();
        if (point.length != KEY_BYTES) {
            throw new GeneralSecurityException("a key of " + point.length + " bytes, expected " + KEY_BYTES);
        }
        byte[] x509 = new byte[X509_HEAD.length + KEY_BYTES];
        System.arraycopy(X509_HEAD, 0, x509, 0, X509_HEAD.length);
        System.arraycopy(point, 0, x509, X509_HEAD.length, KEY_BYTES);
        this.key = KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(x509));
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signed, Base64URL signature) throws JOSEException {
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(key);
            check.update(signed);
            return check.verify(signature.decode());
        } catch (SignatureException malformed) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new JOSEException("Ed25519 cannot be checked", e);
        }
    }
}
