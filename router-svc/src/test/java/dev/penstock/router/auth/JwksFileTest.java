package dev.penstock.router.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import java.util.List;
import org.junit.jupiter.api.Test;

class JwksFileTest {
    @Test
    void keys_of_other_kinds_and_uses_are_left_out() throws Exception {
        ECKey p384 = new ECKeyGenerator(Curve.P_384).keyID("p384").generate();
        RSAKey encryption = new RSAKey.Builder(Signers.RSA.toPublicJWK())
                .keyID("enc")
                .keyUse(KeyUse.ENCRYPTION)
                .build();
        String unknown = "{\"kty\":\"AKP\",\"alg\":\"ML-DSA-44\",\"pub\":\"AA\"}";
        String set = Signers.jwks(Signers.RSA, p384, encryption, Signers.EC).replace("[", "[" + unknown + ",");
        Faults faults = new Faults();

        TrustedKeys keys = JwksFile.parse(set, faults);

        assertThat(faults.list()).isEmpty();
        assertThat(keys.summary()).isEqualTo("2 public keys");
    }

    @Test
    void secrets_are_refused_and_not_repeated() {
        String rsa = Signers.RSA.toJSONString();
        String shared = "{\"kty\":\"oct\",\"k\":\"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0\"}";

        List<String> faults = faults("{\"keys\":[" + rsa + "," + shared + "]}");

        assertThat(faults).hasSize(2);
        assertThat(faults.getFirst()).startsWith("keys[0] is a private key, expected public keys only");
        assertThat(faults.getLast()).startsWith("keys[1] is a shared secret, expected public keys only");
        assertThat(faults.toString())
                .doesNotContain("c2Vj", Signers.RSA.getPrivateExponent().toString());
    }

    @Test
    void weak_and_broken_keys_are_refused() throws Exception {
        assertThat(faults(Signers.jwks(Signers.rsa("weak", 1024))))
                .containsExactly("keys[0] is an RSA key of 1024 bits, expected at least 2048");
        assertThat(faults("{\"keys\":[{\"kty\":\"RSA\",\"n\":\"AQAB\"}]}"))
                .singleElement()
                .asString()
                .startsWith("keys[0] is no sound RSA key");
        assertThat(faults("{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AQAB\",\"y\":\"AQAB\"}]}"))
                .singleElement()
                .asString()
                .startsWith("keys[0] is no sound EC key");
        assertThat(faults("{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AQAB\"}]}"))
                .singleElement()
                .asString()
                .startsWith("keys[0] is no sound OKP key");
        assertThat(faults("{\"keys\":[7]}"))
                .containsExactly("keys[0] is a key without a kind, expected kty, such as RSA");
    }

    @Test
    void two_keys_of_one_name_are_refused() {
        assertThat(faults(Signers.jwks(Signers.RSA, Signers.RSA)))
                .singleElement()
                .asString()
                .startsWith("keys[1].kid is that of an earlier");
    }

    @Test
    void what_is_no_set_is_refused() {
        assertThat(faults("")).hasSize(1);
        assertThat(faults("[]")).hasSize(1);
        assertThat(faults("{\"keys\":{}}")).hasSize(1);
        assertThat(faults("{\"keys\":[]}")).hasSize(1);
        assertThat(faults("{\n\"keys\":[}")).singleElement().asString().startsWith("line 2 is not JSON");
    }

    private static List<String> faults(String json) {
        Faults faults = new Faults();
        JwksFile.parse(json, faults);
        return faults.list().stream().map(Faults.Fault::toString).toList();
    }
}
