package dev.penstock.router.body;

/**
 * What {@link JsonScan} comes across. Positions are those of bytes in the body; {@code depth} is how many objects and arrays
 * are open around it: 1 for the fields of the body itself.
 */
interface JsonEvents {
    /**
     * @param at of its quote
     * @return whether its text is wanted
     */
    boolean stringBegins(boolean key, int depth, long at);

    /** A part of a string as it is in the body; UTF-8, but may begin and end within a character. */
    void text(byte[] bytes, int from, int to);

    /** A part of a string that was escaped: a UTF-16 unit, of a pair both one after the other. */
    void unit(char unit);

    /** @param end behind its quote */
    void stringEnds(boolean key, int depth, long end);

    /**
     * @param value cut at the ends of what a long holds; without what is behind the point, and without the exponent
     * @param plain has neither point nor exponent
     * @param whole has no fraction but zeros, and no exponent
     */
    void number(long value, boolean plain, boolean whole, int depth, long at, long end);

    void literal(Literal literal, int depth, long at, long end);

    /** @param depth outside of it */
    void opened(boolean object, int depth, long at);

    /** @param depth outside of it */
    void closed(int depth, long end);

    /** The three words of JSON. */
    enum Literal {
        TRUE("true"),
        FALSE("false"),
        NULL("null");

        final String word;

        Literal(String word) {
            this.word = word;
        }
    }
}
