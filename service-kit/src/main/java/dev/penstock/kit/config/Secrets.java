package dev.penstock.kit.config;

import java.util.Locale;
import java.util.regex.Pattern;

/** Keeps secrets out of what is printed: by the name of the key, and in addresses. */
final class Secrets {
    private static final String HIDDEN = "***";
    private static final Pattern CREDENTIALS = Pattern.compile("://[^/\\s]*@");

    private Secrets() {}

    static String hide(String key, String value) {
        String lower = key.toLowerCase(Locale.ROOT);
        if (lower.endsWith("token") || lower.endsWith("password") || lower.endsWith("secret")) return HIDDEN;
        return CREDENTIALS.matcher(value).replaceAll("://" + HIDDEN + "@");
    }
}
