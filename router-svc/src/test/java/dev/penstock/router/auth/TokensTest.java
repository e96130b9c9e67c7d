package dev.penstock.router.auth;

import static dev.penstock.router.auth.Signers.EC;
import static dev.penstock.router.auth.Signers.NEXT_RSA;
import static dev.penstock.router.auth.Signers.RSA;
import static dev.penstock.router.auth.Signers.base64;
import static dev.penstock.router.auth.Signers.jwks;
import static dev.penstock.router.auth.Signers.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.router.auth.Access.Reason;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
    private static final long NOW = Instant.parse("2027-03-01T12:00:00Z").toEpochMilli();
    private static final long MINUTE = 60_000;
    private static final long SKEW = MINUTE;

    @TempDir
    Path directory;

    private KeyFiles files;

    @BeforeEach
    void files() {
        files = new KeyFiles(directory);
    }

    @Test
    void tokens_of_each_kind_of_key_are_taken() throws Exception {
        LocalAuthenticator local = trusting(RSA, EC, Signers.ed25519Public("ed-1"));
        Access acme = new Access.Granted(new Tenant("acme", "acme", null));

        assertThat(bearer(local, token(RSA, acme()), NOW)).isEqualTo(acme);
        assertThat(bearer(local, token(EC, acme()), NOW)).isEqualTo(acme);
        assertThat(bearer(local, Signers.ed25519Token("ed-1", acme()), NOW)).isEqualTo(acme);
        assertThat(local.check(null, token(RSA, acme()), null, NOW)).isEqualTo(acme);
    }

    @Test
    void a_token_that_was_tampered_with_is_not() throws Exception {
        LocalAuthenticator local = trusting(RSA, EC, Signers.ed25519Public("ed-1"));

        for (String sound : List.of(token(RSA, acme()), token(EC, acme()), Signers.ed25519Token("ed-1", acme()))) {
            String[] parts = sound.split("\\.", -1);
            String evil = base64(acme("evil").build().toString());
            String cut = parts[2].substring(0, parts[2].length() - 4);
            assertThat(bearer(local, parts[0] + "." + evil + "." + parts[2], NOW))
                    .isEqualTo(refused(Reason.FORGED));
            assertThat(bearer(local, parts[0] + "." + parts[1] + "." + cut, NOW))
                    .isEqualTo(refused(Reason.FORGED));
            assertThat(bearer(local, sound, NOW)).isInstanceOf(Access.Granted.class);
        }
    }

    @Test
    void a_stranger_who_uses_a_known_kid_is_untrusted() throws Exception {
        LocalAuthenticator local = trusting(RSA, EC);

        assertThat(bearer(local, token(Signers.rsa("rsa-1", 2048), acme()), NOW))
                .isEqualTo(refused(Reason.FORGED));
        assertThat(bearer(local, token(Signers.ec("ec-1"), acme()), NOW)).isEqualTo(refused(Reason.FORGED));
        assertThat(bearer(local, token(NEXT_RSA, acme()), NOW)).isEqualTo(refused(Reason.UNTRUSTED));
    }

    @Test
    void a_token_without_a_kid_needs_an_algorithm_with_one_key() throws Exception {
        String token = token(new RSASSASigner(RSA), new JWSHeader(JWSAlgorithm.RS256), acme());

        assertThat(bearer(trusting(RSA, EC), token, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(trusting(RSA, NEXT_RSA), token, NOW)).isEqualTo(refused(Reason.UNTRUSTED));
    }

    @Test
    void no_other_algorithm_counts() throws Exception {
        LocalAuthenticator local = trusting(RSA, EC);
        String claims = base64(acme().toString());
        byte[] publicKey = RSA.toRSAPublicKey().getEncoded();
        JWSHeader hs256 =
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build();
        JWSHeader rs512 =
                new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("rsa-1").build();
        JWSHeader critical = new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID("rsa-1")
                .criticalParams(Set.of("exp"))
                .customParam("exp", 1)
                .build();

        assertThat(bearer(local, base64("{\"alg\":\"none\"}") + "." + claims + ".e30", NOW))
                .isEqualTo(refused(Reason.MALFORMED));
        assertThat(bearer(local, base64("{\"alg\":\"none\"}") + "." + claims + ".", NOW))
                .isInstanceOf(Access.Refused.class);
        assertThat(bearer(local, token(new MACSigner(publicKey), hs256, acme()), NOW))
                .isEqualTo(refused(Reason.UNTRUSTED));
        assertThat(bearer(local, token(new RSASSASigner(RSA), rs512, acme()), NOW))
                .isEqualTo(refused(Reason.UNTRUSTED));
        assertThat(bearer(local, token(new RSASSASigner(RSA), critical, acme()), NOW))
                .isEqualTo(refused(Reason.UNTRUSTED));
        assertThat(bearer(local, base64("[".repeat(3000)) + "." + claims + ".e30", NOW))
                .isEqualTo(refused(Reason.MALFORMED));
    }

    @Test
    void a_token_ends_a_minute_after_its_end_also_when_it_is_known() throws Exception {
        LocalAuthenticator local = trusting(RSA);
        String token =
                token(RSA, acme("acme").expirationTime(new Date(NOW + MINUTE)).build());

        assertThat(bearer(local, token, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, token, NOW + MINUTE + SKEW - 1)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, token, NOW + MINUTE + SKEW)).isEqualTo(refused(Reason.EXPIRED));
    }

    @Test
    void a_token_begins_a_minute_before_its_begin_also_when_it_was_refused() throws Exception {
        LocalAuthenticator local = trusting(RSA);
        String token = token(
                RSA, acme("acme").notBeforeTime(new Date(NOW + SKEW + 1000)).build());

        assertThat(bearer(local, token, NOW)).isEqualTo(refused(Reason.NOT_YET_VALID));
        assertThat(bearer(local, token, NOW + 999)).isEqualTo(refused(Reason.NOT_YET_VALID));
        assertThat(bearer(local, token, NOW + 1000)).isInstanceOf(Access.Granted.class);
    }

    @Test
    void a_token_without_an_end_or_a_tenant_is_unfit() throws Exception {
        LocalAuthenticator local = trusting(RSA);

        for (JWTClaimsSet claims : List.of(
                new JWTClaimsSet.Builder().subject("acme").build(),
                new JWTClaimsSet.Builder()
                        .expirationTime(new Date(NOW + MINUTE))
                        .build(),
                acme("two words").build(),
                acme("other").build(),
                acme("acme").claim("sub", List.of("acme")).build(),
                acme("acme").claim("models", "llama").build(),
                acme("acme").claim("models", List.of(1)).build(),
                acme("acme").claim("models", Map.of("llama", true)).build())) {
            assertThat(bearer(local, token(RSA, claims), NOW))
                    .as(claims.toString())
                    .isEqualTo(refused(Reason.UNFIT));
        }
    }

    @Test
    void demands_on_tokens_are_kept() throws Exception {
        LocalAuthenticator local = files.jwks(jwks(RSA))
                .open("  jwt: {issuer: 'https://id.example', audience: penstock, tenantClaim: org, modelsClaim: may}")
                .local();
        JWTClaimsSet fit = acme("user-7")
                .issuer("https://id.example")
                .audience(List.of("else", "penstock"))
                .claim("org", "acme")
                .claim("may", List.of("llama"))
                .build();

        assertThat(bearer(local, token(RSA, fit), NOW))
                .isEqualTo(new Access.Granted(new Tenant("acme", "acme", Set.of("llama"))));
        for (String claim : List.of("iss", "aud", "org")) {
            JWTClaimsSet without =
                    new JWTClaimsSet.Builder(fit).claim(claim, null).build();
            JWTClaimsSet other =
                    new JWTClaimsSet.Builder(fit).claim(claim, "a b").build();
            assertThat(bearer(local, token(RSA, without), NOW)).as(claim).isEqualTo(refused(Reason.UNFIT));
            assertThat(bearer(local, token(RSA, other), NOW)).as(claim).isEqualTo(refused(Reason.UNFIT));
        }
    }

    @Test
    void keys_rotate_by_a_reload_and_known_tokens_end_with_theirs() throws Exception {
        Authenticator authenticator = files.jwks(jwks(RSA)).open();
        LocalAuthenticator local = authenticator.local();
        String old = token(RSA, acme());
        String next = token(NEXT_RSA, acme());
        assertThat(bearer(local, old, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, next, NOW)).isEqualTo(refused(Reason.UNTRUSTED));

        files.jwks(jwks(RSA, NEXT_RSA));
        authenticator.reload();
        assertThat(bearer(local, old, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, next, NOW)).isInstanceOf(Access.Granted.class);

        files.jwks("{");
        authenticator.reload();
        assertThat(bearer(local, old, NOW)).isInstanceOf(Access.Granted.class);

        files.jwks(jwks(NEXT_RSA));
        authenticator.reload();
        assertThat(bearer(local, old, NOW)).isEqualTo(refused(Reason.UNTRUSTED));
        assertThat(bearer(local, next, NOW)).isInstanceOf(Access.Granted.class);
    }

    @Test
    void keys_and_tokens_go_together() throws Exception {
        LocalAuthenticator local = files.apiKeys(KeyFiles.entry("acme", "a.b.c", ""))
                .jwks(jwks(RSA))
                .open()
                .local();

        assertThat(bearer(local, "a.b.c", NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, token(RSA, acme()), NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, "a.b.d", NOW)).isEqualTo(refused(Reason.MALFORMED));
        assertThat(bearer(local, "psk_unknown", NOW)).isEqualTo(refused(Reason.UNKNOWN));
    }

    @Test
    void the_hundred_and_first_tenant_of_tokens_shares_a_label() throws Exception {
        LocalAuthenticator local = files.apiKeys(KeyFiles.entry("written", "key", ""))
                .jwks(jwks(EC))
                .open()
                .local();

        for (int i = 0; i < 100; i++) {
            assertThat(label(bearer(local, token(EC, acme("t" + i).build()), NOW)))
                    .isEqualTo("t" + i);
        }
        assertThat(label(bearer(local, token(EC, acme("late").build()), NOW))).isEqualTo("other");
        assertThat(label(bearer(local, token(EC, acme("t7").build()), NOW))).isEqualTo("t7");
        assertThat(label(bearer(local, token(EC, acme("written").build()), NOW)))
                .isEqualTo("written");
    }

    @Test
    void forged_tokens_stop_being_verified_but_known_ones_go_on() throws Exception {
        LocalAuthenticator local = files.apiKeys(KeyFiles.entry("acme", "key", ""))
                .jwks(jwks(RSA))
                .open()
                .local();
        String known = token(RSA, acme());
        String[] parts = known.split("\\.", -1);
        bearer(local, known, NOW);

        for (int i = 0; i < 50; i++) {
            String forged = parts[0] + "." + base64(acme("t" + i).build().toString()) + "." + parts[2];
            assertThat(bearer(local, forged, NOW)).isEqualTo(refused(Reason.FORGED));
        }

        String fresh = token(RSA, acme("fresh").build());
        assertThat(bearer(local, fresh, NOW)).isEqualTo(refused(Reason.BUSY));
        assertThat(Reason.BUSY.status()).isEqualTo(429);
        assertThat(bearer(local, known, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, "key", NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, fresh, NOW + 1000)).isInstanceOf(Access.Granted.class);
    }

    @Test
    void another_spelling_of_a_signature_is_not_taken() throws Exception {
        LocalAuthenticator local = trusting(RSA);
        String token = token(RSA, acme());

        assertThat(bearer(local, token, NOW)).isInstanceOf(Access.Granted.class);
        assertThat(bearer(local, token + "=", NOW)).isEqualTo(refused(Reason.FORGED));
        assertThat(bearer(local, token + "!", NOW)).isEqualTo(refused(Reason.FORGED));
    }

    @Test
    void nothing_of_a_token_is_in_what_is_said_about_it() throws Exception {
        LocalAuthenticator local = trusting(RSA);
        String token = token(NEXT_RSA, acme());

        Access refused = bearer(local, token, NOW);

        assertThat(refused.toString()).doesNotContain("acme", "rsa-2", token.substring(0, 20));
        for (Reason reason : Reason.values())
            assertThat(reason.message()).isASCII().endsWith(".");
    }

    private LocalAuthenticator trusting(JWK... keys) throws ConfigException {
        return files.jwks(jwks(keys)).open().local();
    }

    private static Access bearer(LocalAuthenticator local, String token, long wallMillis) {
        return local.check("Bearer " + token, null, null, wallMillis);
    }

    private static JWTClaimsSet acme() {
        return acme("acme").build();
    }

    private static JWTClaimsSet.Builder acme(String tenant) {
        return new JWTClaimsSet.Builder().subject(tenant).expirationTime(new Date(NOW + 60 * MINUTE));
    }

    private static Access refused(Reason reason) {
        return reason.refused();
    }

    private static String label(Access access) {
        return ((Access.Granted) access).tenant().label();
    }
}
