package dev.penstock.enginesim.openai;

/** Bytes that stand for sound, images and videos: the same for the same key. */
public final class PseudoBytes {
    private PseudoBytes() {}

    public static byte[] of(long key, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i += Long.BYTES) {
            long next = Words.mix(key * 31 + i);
            for (int j = i; j < Math.min(length, i + Long.BYTES); j++) {
                bytes[j] = (byte) (next >>> Byte.SIZE * (j - i));
            }
        }
        return bytes;
    }
}
