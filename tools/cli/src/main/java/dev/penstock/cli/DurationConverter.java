package dev.penstock.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}; a bare number is seconds. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)?");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration such as 500ms, 30s, 2m or 1h");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case null, default -> Duration.ofSeconds(amount);
        };
    }
}
