package dev.penstock.core.kvevents;

import java.util.List;

/** A vocabulary as a list: token ids are dense. Immutable. */
public final class TokenTable implements Vocabulary {
    private static final byte[] NOTHING = {};

    private final byte[][] tokenToBytes;
    private final int longest;
    private final int beginning;

    /** @param tokenToBytes by id; an empty array = no such token */
    public TokenTable(List<byte[]> tokenToBytes) {
        this(tokenToBytes, UNKNOWN);
    }

    /** @param beginning the token before each prompt, or UNKNOWN = there is none */
    public TokenTable(List<byte[]> tokenToBytes, int beginning) {
        this.beginning = beginning;
        this.tokenToBytes = tokenToBytes.toArray(byte[][]::new);
        int most = 1;
        for (byte[] bytes : this.tokenToBytes) most = Math.max(most, bytes.length);
        longest = most;
    }

    @Override
    public int write(int token, byte[] out, int at) {
        byte[] bytes = token < 0 || token >= tokenToBytes.length ? NOTHING : tokenToBytes[token];
        if (bytes.length == 0) return UNKNOWN;
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return bytes.length;
    }

    @Override
    public boolean begins(int token) {
        return token == beginning && token >= 0;
    }

    @Override
    public int longest() {
        return longest;
    }
}
