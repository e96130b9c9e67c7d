package dev.penstock.router.upload;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What separates the parts of a form, from its Content-Type. */
public final class Boundary {
    private static final int LONGEST = 70;

    private Boundary() {}

    /** True where the type is {@code multipart/form-data}, whatever its parameters. */
    public static boolean isForm(@Nullable String contentType) {
        if (contentType == null) return false;
        int semicolon = contentType.indexOf(';');
        return (semicolon < 0 ? contentType : contentType.substring(0, semicolon))
                .strip()
                .equalsIgnoreCase("multipart/form-data");
    }

    /** Null where a form's type has none, or one that RFC 2046 does not allow. */
    public static @Nullable String of(String contentType) {
        HeaderValue type = HeaderValue.parse(contentType);
        String boundary = type == null ? null : type.nameToValue().get("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > LONGEST || boundary.endsWith(" "))
            return null;
        for (int i = 0; i < boundary.length(); i++) {
            if (boundary.charAt(i) < ' ' || boundary.charAt(i) > '~') return null;
        }
        return boundary;
    }

    /** With the line end before it, which is not the content's. */
    static byte[] delimiter(String boundary) {
        return ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }
}
