package dev.penstock.enginesim.openai;

/**
 * The text that engines generate: one word a token, the same for the same seed, prompt, choice and position. Every
 * eighth word or so has bytes beyond ASCII, so that whoever cuts a stream inside a character is found out.
 */
public final class Words {
    private static final String[] TABLE = {
        "water",
        "flows",
        "down",
        "the",
        "channel",
        "and",
        "turns",
        "a",
        "wheel",
        "while",
        "gates",
        "open",
        "slowly",
        "under",
        "pressure",
        "of",
        "rain",
        "from",
        "hills",
        "above",
        "village",
        "where",
        "mill",
        "stones",
        "grind",
        "corn",
        "for",
        "bread",
        "that",
        "is",
        "eaten",
        "by",
        "night",
        "then",
        "quiet",
        "ponds",
        "fill",
        "again",
        "as",
        "sluice",
        "keeper",
        "sleeps",
        "near",
        "his",
        "lantern",
        "until",
        "morning",
        "brings",
        "new",
        "work",
        "naïve",
        "水路",
        "🚰",
        "façade",
        "größer",
        "река",
        "水車",
    };
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;

    public Words(long seed) {
        this.seed = seed;
    }

    /** Identifies the text of one choice of one prompt. */
    public long key(String prompt, int choice) {
        long hash = seed;
        for (int i = 0; i < prompt.length(); i++) {
            hash = (hash ^ prompt.charAt(i)) * 0x100000001b3L;
        }
        return mix(hash + GOLDEN * choice);
    }

    /** Token number {@code position} of the text, with the space that parts it from the one before. */
    public String token(long key, int position) {
        String word = TABLE[(int) Long.remainderUnsigned(mix(key + GOLDEN * position), TABLE.length)];
        return position == 0 ? word : " " + word;
    }

    public String text(long key, int tokens) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < tokens; i++) {
            out.append(token(key, i));
        }
        return out.toString();
    }

    static long hash(String text) {
        return mix(text.hashCode() + GOLDEN * text.length());
    }

    /** SplitMix64's finalizer. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
