package dev.penstock.router.auth;

/** All that is accepted at one time. Immutable: a reload makes the next. */
record Credentials(ApiKeys apiKeys, TrustedKeys trustedKeys) {
    Credentials with(ApiKeys other) {
        return new Credentials(other, trustedKeys);
    }

    Credentials with(TrustedKeys other) {
        return new Credentials(apiKeys, other);
    }
}
