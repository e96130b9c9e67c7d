package dev.penstock.kit.config;

import dev.penstock.model.SessionNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** {@code session} of a model: where its requests name their session. */
final class SessionConfig {
    private static final int LONGEST_NAME = 128;
    /** RFC 9110's token. */
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    /** A session's name must not be a secret or something that all clients have in common. */
    private static final Set<String> NOT_HEADERS =
            Set.of("authorization", "proxy-authorization", "cookie", "host", "content-length", "content-type");

    private SessionConfig() {}

    static SessionNames read(ConfigSection section) {
        List<String> headers = names(
                section,
                "headers",
                SessionNames.DEFAULT.headers(),
                name -> HEADER.matcher(name).matches() && !NOT_HEADERS.contains(name.toLowerCase(Locale.ROOT)),
                "the name of a header, of up to " + LONGEST_NAME
                        + " characters, that is not one of a connection's or a secret");
        List<String> fields = names(
                section,
                "fields",
                SessionNames.DEFAULT.fields(),
                name -> !name.isBlank() && !name.equals("model") && !name.equals("stream"),
                "the name of a field at the top of the body, of up to " + LONGEST_NAME
                        + " characters, other than model and stream");
        return new SessionNames(
                headers.stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .distinct()
                        .toList(),
                fields);
    }

    private static List<String> names(
            ConfigSection section, String key, List<String> otherwise, Predicate<String> sound, String expected) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : section.strings(key, otherwise)) {
            if (name.length() > LONGEST_NAME || !sound.test(name)) section.problem(key, name, expected);
            else if (!names.add(name)) section.problem(key, name, "each name once");
        }
        if (names.size() > SessionNames.MOST) {
            section.problem(key, names.size() + " names", "at most " + SessionNames.MOST);
            return otherwise;
        }
        return List.copyOf(names);
    }
}
