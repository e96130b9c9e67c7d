package dev.penstock.router.auth;

/**
 * What a token came to.
 *
 * @param untilMillis the wall-clock time from which it has to be looked at again
 */
record Verdict(Access access, long untilMillis) {}
