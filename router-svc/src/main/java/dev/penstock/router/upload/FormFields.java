package dev.penstock.router.upload;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of a form that say where its request goes and what is waited for. */
public final class FormFields {
    static final int MOST_VALUE_BYTES = 1 << 10;
    private static final int MOST_DIGITS = 6;

    /** One of them. */
    enum Field {
        MODEL,
        STREAM,
        N;

        /** Null for all others, and for files. */
        static @Nullable Field of(PartHead head) {
            if (head.name() == null || head.file()) return null;
            return switch (head.name()) {
                case "model" -> MODEL;
                case "stream" -> STREAM;
                case "n" -> N;
                default -> null;
            };
        }
    }

    private @Nullable String model;
    private long modelStart;
    private long modelEnd;
    private boolean stream;
    private int choices = 1;

    /** As the client sent it, or null before it came. */
    public @Nullable String model() {
        return model;
    }

    /** Where its value begins in the body. */
    public long modelStart() {
        return modelStart;
    }

    public long modelEnd() {
        return modelEnd;
    }

    public boolean stream() {
        return stream;
    }

    public int choices() {
        return choices;
    }

    /**
     * Takes a value; what is no model's is only looked at, because the engine judges it.
     *
     * @param start where it begins in the body
     * @param length of the whole value, of which {@code bytes} has at most {@value #MOST_VALUE_BYTES}
     */
    @Nullable
    FormFault take(Field field, byte[] bytes, long start, long length) {
        switch (field) {
            case MODEL -> {
                return takeModel(bytes, start, length);
            }
            case STREAM -> stream = length <= MOST_VALUE_BYTES && isTrue(text(bytes, (int) length));
            case N -> choices = length <= MOST_DIGITS ? number(text(bytes, (int) length)) : 1;
        }
        return null;
    }

    private @Nullable FormFault takeModel(byte[] bytes, long start, long length) {
        if (model != null) return FormFault.MODEL_TWICE;
        if (length > MOST_VALUE_BYTES) return FormFault.MODEL_TOO_LONG;
        try {
            String name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, (int) length))
                    .toString();
            if (name.isBlank()) return FormFault.MODEL_EMPTY;
            model = name;
        } catch (CharacterCodingException e) {
            return FormFault.MODEL_NO_TEXT;
        }
        modelStart = start;
        modelEnd = start + length;
        return null;
    }

    private static String text(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** As web frameworks read a form's booleans. */
    private static boolean isTrue(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "true", "t", "yes", "y", "on" -> true;
            default -> false;
        };
    }

    private static int number(String text) {
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') return 1;
            number = number * 10 + c - '0';
        }
        return Math.max(1, number);
    }
}
