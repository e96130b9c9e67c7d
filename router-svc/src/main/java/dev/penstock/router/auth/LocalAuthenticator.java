package dev.penstock.router.auth;

import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/**
 * Says whose a request is, by its headers alone and without waiting. One for each event loop: nothing is shared but what
 * {@link Authenticator} knows, which is read once per request.
 */
public final class LocalAuthenticator {
    /** Headers that carry keys; none may reach an engine. */
    public static final CharSequence AUTHORIZATION = AsciiString.cached("authorization");

    public static final CharSequence X_API_KEY = AsciiString.cached("x-api-key");
    public static final CharSequence API_KEY = AsciiString.cached("api-key");

    private static final int LONGEST_HEADER = 8192;
    private static final String SCHEME = "Bearer ";

    /** Of an event loop; about 250 bytes each with their tenants. */
    private static final int MOST_GOOD_TOKENS = 4096;

    private static final int MOST_BAD_TOKENS = 512;

    private static final Access EVERYBODY = new Access.Granted(Tenant.DEFAULT);

    private final Authenticator shared;
    private final boolean open;
    private final Hasher hasher = new Hasher(LONGEST_HEADER);
    private final TokenCache tokens = new TokenCache(MOST_GOOD_TOKENS, MOST_BAD_TOKENS);
    private final RefusalBudget budget = new RefusalBudget();
    private Credentials seen;

    LocalAuthenticator(Authenticator shared) {
        this.shared = shared;
        this.open = shared.isOpen();
        this.seen = shared.credentials();
    }

    public Access check(MultiMap headers, long wallMillis) {
        if (open) return EVERYBODY;
        return check(headers.get(AUTHORIZATION), headers.get(X_API_KEY), headers.get(API_KEY), wallMillis);
    }

    /** A client may repeat its key in several headers, but not say two things. */
    public Access check(
            @Nullable String authorization, @Nullable String xApiKey, @Nullable String apiKey, long wallMillis) {
        if (open) return EVERYBODY;
        if (authorization == null && xApiKey == null && apiKey == null) return Access.Reason.MISSING.refused();
        String header = xApiKey != null ? xApiKey : apiKey;
        int from = 0;
        if (authorization != null) {
            from = startOfBearer(authorization);
            if (from < 0 || differ(authorization, from, xApiKey)) return Access.Reason.MALFORMED.refused();
            header = authorization;
        }
        if (header == null || differ(header, from, apiKey) || header.length() > LONGEST_HEADER) {
            return Access.Reason.MALFORMED.refused();
        }
        return lookUp(header, from, wallMillis);
    }

    private Access lookUp(String header, int from, long wallMillis) {
        KeyHash hash = hasher.hash(header, from);
        if (hash == null) return Access.Reason.MALFORMED.refused();
        Credentials credentials = shared.credentials();
        if (credentials != seen) {
            // A token of a signer that is no longer trusted ends with that trust.
            tokens.clear();
            seen = credentials;
        }
        ApiKey key = credentials.apiKeys().find(hash);
        if (key != null) return key.at(wallMillis);
        if (credentials.trustedKeys().isEmpty() || !TokenCheck.looksLikeToken(header, from)) {
            return Access.Reason.UNKNOWN.refused();
        }
        Verdict verdict = tokens.get(hash, wallMillis);
        return verdict != null ? verdict.access() : verify(hash, header.substring(from), credentials, wallMillis);
    }

    private Access verify(KeyHash hash, String token, Credentials credentials, long wallMillis) {
        if (budget.isSpent(wallMillis)) return Access.Reason.BUSY.refused();
        Verdict verdict = shared.tokens().check(token, credentials.trustedKeys(), wallMillis);
        tokens.put(hash, verdict);
        budget.note(verdict.access(), wallMillis);
        return verdict.access();
    }

    /** Where the key begins, or -1 when this is no bearer. */
    private static int startOfBearer(String authorization) {
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return -1;
        int from = SCHEME.length();
        while (from < authorization.length() && authorization.charAt(from) == ' ') from++;
        return from;
    }

    private static boolean differ(String header, int from, @Nullable String other) {
        if (other == null) return false;
        int length = header.length() - from;
        return other.length() != length || !header.regionMatches(from, other, 0, length);
    }
}
