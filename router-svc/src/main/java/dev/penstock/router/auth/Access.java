package dev.penstock.router.auth;

/** What a client's key comes to. */
public sealed interface Access {
    /** Goes on the answer of each refusal, by RFC 6750. */
    String CHALLENGE = "Bearer";

    record Granted(Tenant tenant) implements Access {}

    /** To be answered with the reason's status. */
    record Refused(Reason reason) implements Access {}

    /** Why not, in words for the client. They repeat nothing that it sent. */
    enum Reason {
        MISSING("No API key was given. Send it as 'Authorization: Bearer KEY', or in x-api-key or api-key."),
        MALFORMED("The API key cannot be read. Send one key of visible ASCII, of up to 8192 bytes, as"
                + " 'Authorization: Bearer KEY', or in x-api-key or api-key."),
        UNKNOWN("The API key is not known."),
        EXPIRED("The API key or token has expired."),
        NOT_YET_VALID("The token is not valid yet."),
        UNTRUSTED("The token does not name an algorithm and a key that are trusted here."),
        FORGED("The token's signature is not that of the key it names."),
        UNFIT("The token is trusted but not meant for here: its issuer, audience, expiry, tenant or models are missing"
                + " or not as demanded."),
        BUSY("Too many tokens with wrong signatures are being sent. Please retry shortly.");

        private final String message;
        private final Refused refused = new Refused(this);

        Reason(String message) {
            this.message = message;
        }

        /** 401 but for the one that the client is not to blame for. */
        public int status() {
            return this == BUSY ? 429 : 401;
        }

        public String message() {
            return message;
        }

        /** Always the same one. */
        public Refused refused() {
            return refused;
        }
    }
}
