package dev.penstock.router.body;

/**
 * What {@link JsonScan} comes across. Positions are those of bytes in the body; {@code depth} is how many objects and arrays
 * are open around it: 1 for the fields of the body itself.
 */
interface JsonEvents {
    /** A value begins, of any kind; what kind is told next. */
    void valueBegins(int depth, long at);

    /** A key, or a string that is a value: true if its text is wanted. */
    boolean stringBegins(boolean key, int depth);

    /** A part of a string as it is in the body; UTF-8, but may begin and end within a character. */
    void text(byte[] bytes, int from, int to);

    /** A part of a string that was escaped: a UTF-16 unit, of a pair both one after the other. */
    void unit(char unit);

    /** The quote at its end is before {@code end}. */
    void stringEnds(boolean key, int depth, long end);

    /**
     * A number.
     *
     * @param value cut at the ends of what a long holds; without what is behind the point, and without the exponent
     * @param plain has neither point nor exponent
     * @param whole has no fraction but zeros, and no exponent
     */
    void number(long value, boolean plain, boolean whole, int depth, long end);

    void literal(Literal literal, int depth, long end);

    /** An object or array; {@code depth} is that outside of it. */
    void opened(boolean object, int depth);

    /** The one that was opened last; {@code depth} is that outside of it. */
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
