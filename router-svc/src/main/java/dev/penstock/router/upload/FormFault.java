package dev.penstock.router.upload;

import org.jspecify.annotations.Nullable;

/** Why a form is not relayed. */
public enum FormFault {
    HEADERS_TOO_LONG("A part's headers are longer than 8192 bytes.", null),
    HEADERS_UNCLEAR("A part's Content-Disposition can't be read.", null),
    /** Engines take the last one: where a request goes must not depend on who reads it. */
    MODEL_TWICE("The form has more than one 'model'.", "model"),
    MODEL_TOO_LONG("'model' is longer than 1024 bytes.", "model"),
    MODEL_EMPTY("'model' must not be empty.", "model"),
    MODEL_NO_TEXT("'model' is not UTF-8.", "model"),
    NO_MODEL("'model' is missing.", "model"),
    NO_END("The multipart body ends before its final boundary.", null);

    private final String message;
    private final @Nullable String param;

    FormFault(String message, @Nullable String param) {
        this.message = message;
        this.param = param;
    }

    public String message() {
        return message;
    }

    public @Nullable String param() {
        return param;
    }
}
