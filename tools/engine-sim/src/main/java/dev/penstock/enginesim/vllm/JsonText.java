package dev.penstock.enginesim.vllm;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** JSON strings into a StringBuilder; non-ASCII stays as it is, as Python's pydantic prints it. */
final class JsonText {
    private JsonText() {}

    static StringBuilder append(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        return out.append('"');
    }
}
