package dev.penstock.router.upload;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the headers of a part say of it.
 *
 * @param name of the form's field; null where there is none
 * @param file whether a file's name is given
 */
record PartHead(@Nullable String name, boolean file) {
    private static final String DISPOSITION = "content-disposition";

    /**
     * Null where engines may read it otherwise than we do: two dispositions, a name that is encoded or in pieces.
     *
     * @param lines each ended by CRLF
     */
    static @Nullable PartHead parse(byte[] lines, int length) {
        String text = new String(lines, 0, length, StandardCharsets.UTF_8);
        String disposition = null;
        int at = 0;
        while (at < text.length()) {
            int end = endOfHeader(text, at);
            int colon = text.indexOf(':', at);
            if (colon >= 0 && colon < end && text.substring(at, colon).strip().equalsIgnoreCase(DISPOSITION)) {
                if (disposition != null) return null;
                disposition = text.substring(colon + 1, end).replace("\r\n", "");
            }
            at = end + 2;
        }
        return disposition == null ? new PartHead(null, false) : of(disposition);
    }

    /** A line that begins with a blank goes on with the one before. */
    private static int endOfHeader(String text, int from) {
        int end = text.indexOf("\r\n", from);
        while (end + 2 < text.length() && (text.charAt(end + 2) == ' ' || text.charAt(end + 2) == '\t')) {
            end = text.indexOf("\r\n", end + 2);
        }
        return end;
    }

    private static @Nullable PartHead of(String disposition) {
        HeaderValue value = HeaderValue.parse(disposition);
        if (value == null) return null;
        boolean file = false;
        for (String parameter : value.nameToValue().keySet()) {
            if (parameter.startsWith("name*")) return null;
            file |= parameter.equals("filename") || parameter.startsWith("filename*");
        }
        return new PartHead(value.nameToValue().get("name"), file);
    }
}
