package dev.penstock.router.auth;

/**
 * What is known of an API key besides its hash.
 *
 * @param expiresMillis the first wall-clock time that it is refused at
 */
record ApiKey(Access.Granted granted, long expiresMillis) {
    static final long NEVER = Long.MAX_VALUE;

    Access at(long wallMillis) {
        return wallMillis < expiresMillis ? granted : Access.Reason.EXPIRED.refused();
    }
}
