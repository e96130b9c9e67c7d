package dev.penstock.cli.load;

import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many tokens a prompt or an answer has: {@code 256}, or {@code uniform:16:64}, both ends included. */
public record TokenCount(int least, int most) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7})|uniform:(\\d{1,7}):(\\d{1,7})");

    public TokenCount {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException("expected 1 <= least <= most tokens, got " + least + " and " + most);
        }
    }

    public static TokenCount parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a number of tokens or uniform:A:B, got '" + text + "'");
        }
        if (matcher.group(1) != null) {
            int fixed = Integer.parseInt(matcher.group(1));
            return new TokenCount(fixed, fixed);
        }
        return new TokenCount(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    }

    int draw(RandomGenerator random) {
        return least == most ? least : random.nextInt(least, most + 1);
    }
}
