package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** JSON strings into a StringBuilder; non-ASCII stays as it is, as Python's pydantic prints it. */
public final class JsonText {
    private JsonText() {}

    public static StringBuilder append(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        return out.append('"');
    }
}
