package dev.penstock.router.job;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

/**
 * Finds the values of an answer that are an engine's ids, byte by byte, wherever its chunks are cut: those of {@code id} and
 * {@code previous_response_id} at the top level, or within {@code response} there. Judges no JSON: what is none finds nothing.
 */
final class IdScan {
    private static final byte[] ID = "id".getBytes(US_ASCII);
    private static final byte[] PREVIOUS = "previous_response_id".getBytes(US_ASCII);
    private static final byte[] RESPONSE = "response".getBytes(US_ASCII);
    private static final int LONGEST_NAME = PREVIOUS.length;
    /** Of a name that is none of those that are looked for. */
    private static final int OTHER = -1;

    /** What a byte was. */
    enum Step {
        NOTHING,
        /** The opening quote of a value that is looked for. */
        BEGINS,
        /** Its closing quote. */
        ENDS
    }

    /** Where ids are. */
    enum Where {
        TOP,
        WITHIN_RESPONSE
    }

    /** Which id a value is. */
    enum Field {
        OWN,
        PREVIOUS
    }

    private final int wantedDepth;
    private final byte[] name = new byte[LONGEST_NAME];
    private int nameLength;
    private int depth;
    private boolean object;
    private boolean outerObject;
    private boolean string;
    private boolean escaped;
    private boolean nameNext;
    private boolean inName;
    private boolean inWanted;
    private boolean responseNext;
    private boolean withinResponse;
    private @Nullable Field next;
    private Field field = Field.OWN;

    IdScan(Where where) {
        wantedDepth = where == Where.TOP ? 1 : 2;
    }

    /** Another JSON value begins. */
    void restart() {
        depth = 0;
        string = false;
        escaped = false;
        inName = false;
        inWanted = false;
        nameNext = false;
        forgetName();
        withinResponse = false;
    }

    /** Which one the value is that begins or ends. */
    Field field() {
        return field;
    }

    Step next(byte b) {
        return string ? inString(b) : between(b);
    }

    private Step inString(byte b) {
        if (escaped) {
            escaped = false;
            nameLength = OTHER;
            return Step.NOTHING;
        }
        if (b == '\\') {
            escaped = true;
            return Step.NOTHING;
        }
        if (b == '"') {
            string = false;
            if (inName) named();
            boolean wanted = inWanted;
            inName = false;
            inWanted = false;
            return wanted ? Step.ENDS : Step.NOTHING;
        }
        if (inName && nameLength != OTHER) {
            if (nameLength == LONGEST_NAME) nameLength = OTHER;
            else name[nameLength++] = b;
        }
        return Step.NOTHING;
    }

    private Step between(byte b) {
        switch (b) {
            case '"' -> {
                string = true;
                inName = nameNext;
                nameNext = false;
                nameLength = 0;
                if (inName || next == null) return Step.NOTHING;
                field = next;
                forgetName();
                inWanted = true;
                return Step.BEGINS;
            }
            case '{', '[' -> opened(b == '{');
            case '}', ']' -> closed();
            case ',' -> {
                forgetName();
                nameNext = depth <= wantedDepth && object;
            }
            default -> {}
        }
        return Step.NOTHING;
    }

    private void opened(boolean anObject) {
        if (++depth <= wantedDepth) {
            outerObject = depth == 2 && object;
            object = anObject;
            nameNext = anObject;
            if (depth == 2) withinResponse = anObject && responseNext;
        } else nameNext = false;
        forgetName();
    }

    private void closed() {
        if (--depth < wantedDepth) {
            object = depth == 1 && outerObject;
            withinResponse = false;
        }
        nameNext = false;
        forgetName();
    }

    private void forgetName() {
        next = null;
        responseNext = false;
    }

    private void named() {
        boolean here = wantedDepth == 1 ? depth == 1 : depth == 2 && withinResponse;
        if (here) next = is(ID) ? Field.OWN : is(PREVIOUS) ? Field.PREVIOUS : null;
        responseNext = wantedDepth == 2 && depth == 1 && is(RESPONSE);
    }

    private boolean is(byte[] wanted) {
        if (nameLength != wanted.length) return false;
        for (int i = 0; i < wanted.length; i++) if (name[i] != wanted[i]) return false;
        return true;
    }
}
