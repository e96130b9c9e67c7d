package dev.penstock.router.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.penstock.kit.config.TokenConfig;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies JSON Web Tokens (RFC 7519). What is cheap comes first, and of a token that nobody trusted has signed only the
 * header is read: at most one signature is checked, and the claims are parsed after it. Any thread.
 */
final class TokenCheck {
    /** Clocks of issuers and routers may be this far apart. */
    private static final long SKEW_MILLIS = 60_000;

    private static final long GOOD_FOR_MILLIS = 300_000;
    private static final long BAD_FOR_MILLIS = 10_000;

    private final TokenConfig demands;
    private final TenantLabels labels;

    TokenCheck(TokenConfig demands, TenantLabels labels) {
        this.demands = demands;
        this.labels = labels;
    }

    /** Three parts: what is no key of the file may be one. */
    static boolean looksLikeToken(String header, int from) {
        int first = header.indexOf('.', from);
        int second = header.indexOf('.', first + 1);
        return first > from && second > first + 1 && header.indexOf('.', second + 1) < 0;
    }

    Verdict check(String text, TrustedKeys keys, long wallMillis) {
        SignedJWT token;
        try {
            token = SignedJWT.parse(text);
        } catch (ParseException | RuntimeException e) {
            // The library's parsers throw several kinds; none may reach the request, and no message may be logged.
            return refuse(Access.Reason.MALFORMED, wallMillis);
        }
        JWSVerifier signer = signer(token.getHeader(), keys);
        if (signer == null) return refuse(Access.Reason.UNTRUSTED, wallMillis);
        try {
            if (!isCanonical(token.getSignature()) || !token.verify(signer)) {
                return refuse(Access.Reason.FORGED, wallMillis);
            }
            return judge(token.getJWTClaimsSet(), wallMillis);
        } catch (JOSEException e) {
            return refuse(Access.Reason.FORGED, wallMillis);
        } catch (ParseException | RuntimeException e) {
            return refuse(Access.Reason.UNFIT, wallMillis);
        }
    }

    /** Null when there is none that counts. What a token calls critical has to be understood, and nothing is. */
    private static @Nullable JWSVerifier signer(JWSHeader header, TrustedKeys keys) {
        return header.getCriticalParams() == null ? keys.find(header.getAlgorithm(), header.getKeyID()) : null;
    }

    /** Another spelling of a signature would be another token to the cache, and be verified again. */
    private static boolean isCanonical(Base64URL signature) {
        return Base64URL.encode(signature.decode()).equals(signature);
    }

    private Verdict judge(@Nullable JWTClaimsSet claims, long wallMillis) {
        if (claims == null || claims.getExpirationTime() == null || !isForUs(claims)) {
            return refuse(Access.Reason.UNFIT, wallMillis);
        }
        long expiresMillis = claims.getExpirationTime().getTime() + SKEW_MILLIS;
        if (wallMillis >= expiresMillis) return refuse(Access.Reason.EXPIRED, wallMillis);
        if (claims.getNotBeforeTime() != null) {
            long startsMillis = claims.getNotBeforeTime().getTime() - SKEW_MILLIS;
            if (wallMillis < startsMillis) {
                long untilMillis = Math.min(startsMillis, wallMillis + BAD_FOR_MILLIS);
                return new Verdict(Access.Reason.NOT_YET_VALID.refused(), untilMillis);
            }
        }
        Tenant tenant = tenant(claims);
        return tenant == null
                ? refuse(Access.Reason.UNFIT, wallMillis)
                : new Verdict(new Access.Granted(tenant), Math.min(expiresMillis, wallMillis + GOOD_FOR_MILLIS));
    }

    private boolean isForUs(JWTClaimsSet claims) {
        boolean issuer = demands.issuer() == null || demands.issuer().equals(claims.getIssuer());
        return issuer && (demands.audience() == null || claims.getAudience().contains(demands.audience()));
    }

    private @Nullable Tenant tenant(JWTClaimsSet claims) {
        if (!(claims.getClaim(demands.tenantClaim()) instanceof String name) || !TenantName.isSound(name)) return null;
        if (!claims.getClaims().containsKey(demands.modelsClaim())) return new Tenant(name, labels.of(name), null);
        Set<String> models = models(claims.getClaim(demands.modelsClaim()));
        return models == null ? null : new Tenant(name, labels.of(name), models);
    }

    /** Null when it is not a list of texts: what was meant to restrict must not allow everything. */
    private static @Nullable Set<String> models(@Nullable Object claim) {
        if (!(claim instanceof List<?> list)) return null;
        Set<String> models = new HashSet<>();
        for (Object each : list) {
            if (!(each instanceof String model)) return null;
            models.add(model);
        }
        return Set.copyOf(models);
    }

    private static Verdict refuse(Access.Reason reason, long wallMillis) {
        return new Verdict(reason.refused(), wallMillis + BAD_FOR_MILLIS);
    }
}
