package dev.penstock.core.kvevents;

/**
 * The bytes that a token stands for. Merging tokens back into text needs no tokenizer: the bytes of a prompt are those of its
 * tokens, one after another. Immutable.
 */
public interface Vocabulary {
    int UNKNOWN = -1;

    /** The simulated engine's: a token is four bytes of text, the first one in the highest byte of the id. */
    Vocabulary BYTES4 = new Vocabulary() {
        @Override
        public int write(int token, byte[] out, int at) {
            out[at] = (byte) (token >>> 24);
            out[at + 1] = (byte) (token >>> 16);
            out[at + 2] = (byte) (token >>> 8);
            out[at + 3] = (byte) token;
            return 4;
        }

        @Override
        public int longest() {
            return 4;
        }
    };

    /**
     * Writes the token's bytes.
     *
     * @param out with room for {@link #longest} bytes from {@code at}
     * @return how many, or UNKNOWN when there is no such token
     */
    int write(int token, byte[] out, int at);

    /** Whether the tokenizer puts this one before each prompt: then it stands for no byte that a client sent. */
    default boolean begins(int token) {
        return false;
    }

    /** Bytes of the longest token. */
    int longest();
}
