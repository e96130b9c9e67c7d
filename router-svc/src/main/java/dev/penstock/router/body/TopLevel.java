package dev.penstock.router.body;

/** Knows in which field of the body, and in which part of the prompt, the scan is, and hands on what is to be known of it. */
final class TopLevel implements JsonEvents {
    /** A longer key or text says nothing to a router, but for a prompt. */
    private static final int MOST_TEXT_BYTES = 64 * 1024;

    private static final byte[] CONTENT = {'c', 'o', 'n', 't', 'e', 'n', 't'};
    private static final byte[] TEXT = {'t', 'e', 'x', 't'};

    private final BodyFacts facts;
    private final RoutingFields routing = new RoutingFields();
    private final TextBuffer key = new TextBuffer(MOST_TEXT_BYTES, TextBuffer.Lone.KEPT);
    private final TextBuffer value = new TextBuffer(MOST_TEXT_BYTES, TextBuffer.Lone.KEPT);
    /** One bit per level: its text is the prompt's. */
    private final long[] prompts = new long[JsonScan.MOST_DEPTH / Long.SIZE + 1];

    private BodyField field = BodyField.OTHER;
    /** Which session field this is, or -1. */
    private int session = -1;

    /** Where the top-level value begins. */
    private long valueAt;

    /** The next value's text, or this string's, is the prompt's. */
    private boolean inPrompt;

    private boolean inKey;
    private boolean keyTooLong;
    private boolean keepsValue;
    private boolean promptIsArray;
    private int promptsOfArray;

    TopLevel(BodyFacts facts) {
        this.facts = facts;
    }

    void start() {
        routing.clear();
        field = BodyField.OTHER;
        session = -1;
        keyTooLong = false;
        promptIsArray = false;
        promptsOfArray = 0;
    }

    Peek peek(long objectStart) {
        if (keyTooLong) return new Peek.Invalid("A field's name is longer than " + MOST_TEXT_BYTES + " bytes.", null);
        return routing.peek(objectStart, Math.max(1, promptsOfArray));
    }

    @Override
    public void valueBegins(int depth, long at) {
        if (depth > 1) return;
        valueAt = at;
        if (field == BodyField.TOOLS) facts.tools().begin(at);
    }

    @Override
    public boolean stringBegins(boolean isKey, int depth) {
        inKey = isKey;
        if (isKey) {
            key.clear();
            return depth == 1 || isPrompt(depth);
        }
        countPrompt(depth);
        keepsValue = depth == 1 && (field.isText() || session >= 0);
        if (keepsValue) value.clear();
        return keepsValue || inPrompt && !facts.prompt().text().full();
    }

    @Override
    public void text(byte[] bytes, int from, int to) {
        if (inKey) {
            key.add(bytes, from, to);
            return;
        }
        if (keepsValue) value.add(bytes, from, to);
        if (inPrompt) facts.prompt().text().add(bytes, from, to);
    }

    @Override
    public void unit(char unit) {
        if (inKey) {
            key.unit(unit);
            return;
        }
        if (keepsValue) value.unit(unit);
        if (inPrompt) facts.prompt().text().unit(unit);
    }

    @Override
    public void stringEnds(boolean isKey, int depth, long end) {
        if (isKey) {
            keyEnds(depth);
            return;
        }
        if (inPrompt) facts.prompt().text().end();
        if (depth > 1) return;
        if (keepsValue) value.end();
        routing.string(field, value, valueAt, end);
        if (field == BodyField.CACHE_SALT) facts.cacheSalt(value.cut() ? null : value.text());
        if (session >= 0) facts.field(session, value.cut() ? null : value.text());
        end(end);
    }

    private void keyEnds(int depth) {
        key.end();
        keyTooLong |= key.cut();
        if (depth > 1) {
            inPrompt = isPrompt(depth) && (key.is(CONTENT) || key.is(TEXT));
            return;
        }
        field = BodyField.of(key);
        session = facts.indexOf(key);
        inPrompt = field.isPrompt();
        // Of a key that comes twice, the last counts.
        routing.forget(field);
        if (field == BodyField.CACHE_SALT) facts.cacheSalt(null);
        if (session >= 0) facts.field(session, null);
        if (inPrompt) facts.prompt().begin(field);
        if (field == BodyField.PROMPT) {
            promptIsArray = false;
            promptsOfArray = 0;
        }
    }

    @Override
    public void number(long number, boolean plain, boolean whole, int depth, long end) {
        if (inPrompt && plain) facts.prompt().token(number);
        if (depth > 1) return;
        routing.number(field, number, whole);
        end(end);
    }

    @Override
    public void literal(Literal literal, int depth, long end) {
        if (depth > 1) return;
        routing.literal(field, literal, valueAt, end);
        end(end);
    }

    @Override
    public void opened(boolean object, int depth) {
        if (depth == 1) {
            routing.other(field);
            promptIsArray = !object && field == BodyField.PROMPT;
        } else if (!object) {
            countPrompt(depth);
        }
        int inner = depth + 1;
        if (inPrompt) prompts[inner / Long.SIZE] |= 1L << inner;
        else prompts[inner / Long.SIZE] &= ~(1L << inner);
    }

    @Override
    public void closed(int depth, long end) {
        if (depth == 1) end(end);
        // In an array the next element is what this one was; in an object the next key decides.
        else inPrompt = isPrompt(depth);
    }

    private void countPrompt(int depth) {
        if (depth == 2 && promptIsArray && field == BodyField.PROMPT) promptsOfArray++;
    }

    private boolean isPrompt(int depth) {
        return depth > 1 && (prompts[depth / Long.SIZE] & 1L << depth) != 0;
    }

    private void end(long end) {
        if (field == BodyField.TOOLS) facts.tools().end(end);
        if (field.isPrompt()) facts.prompt().end(field);
    }
}
