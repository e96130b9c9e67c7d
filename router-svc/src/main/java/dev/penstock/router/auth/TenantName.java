package dev.penstock.router.auth;

import java.util.regex.Pattern;

/**
 * What a tenant may be called: it appears in logs, in labels of metrics and in keys of Redis. The marks are those of the
 * subjects that identity providers make, such as {@code auth0|5f7c}, {@code system:serviceaccount:ns:app} and addresses.
 */
final class TenantName {
    static final String EXPECTED =
            "1 to 128 letters, digits and ._:|@/+=-, a letter or digit first; not other, and not" + " an API key";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:|@/+=-]{0,127}");

    private TenantName() {}

    /** A key in the place of a name would be in every log line. */
    static boolean isSound(String name) {
        return NAME.matcher(name).matches() && !name.equals(TenantLabels.OTHER) && !name.startsWith(ApiKeys.PREFIX);
    }
}
