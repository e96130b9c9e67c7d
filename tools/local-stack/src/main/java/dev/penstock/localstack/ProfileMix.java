package dev.penstock.localstack;

import dev.penstock.enginesim.step.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code --profile}: one name for all engines, or a list like {@code fast:4,slow:4} that says how many are of which. */
record ProfileMix(List<Profile> profiles) {
    private static final int DEFAULT_ENGINES = 8;
    private static final String EXPECTED = "a name, or a list like fast:4,slow:4";

    /**
     * The profiles of all engines, in the order of the list.
     *
     * @param engines as asked for; null = as many as the list says, or {@value #DEFAULT_ENGINES}
     * @throws IllegalArgumentException that says what is wrong
     */
    static ProfileMix of(String text, @Nullable Integer engines) {
        String[] parts = text.split(",", -1);
        if (parts.length == 1 && !text.contains(":")) {
            return new ProfileMix(all(profile(text), engines == null ? DEFAULT_ENGINES : engines));
        }
        List<Profile> profiles = new ArrayList<>();
        for (String part : parts) {
            int colon = part.indexOf(':');
            int count = colon < 0 ? 0 : number(part.substring(colon + 1));
            if (count < 1) {
                throw new IllegalArgumentException("--profile: '" + part.strip() + "' in '" + text
                        + "', expected a name and a count above 0, like fast:4");
            }
            profiles.addAll(all(profile(part.substring(0, colon).strip()), count));
        }
        if (engines != null && engines != profiles.size()) {
            throw new IllegalArgumentException("--profile: '" + text + "' is " + profiles.size()
                    + " engines, expected as many as --engines " + engines + " (leave --engines out, or change one)");
        }
        return new ProfileMix(List.copyOf(profiles));
    }

    private static List<Profile> all(Profile profile, int count) {
        return Collections.nCopies(Math.max(0, count), profile);
    }

    private static Profile profile(String name) {
        try {
            return Profile.named(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--profile: " + e.getMessage() + "; " + EXPECTED, e);
        }
    }

    /** 0 = no number, or far too large a one. */
    private static int number(String text) {
        try {
            int number = Integer.parseInt(text.strip());
            return number > StackOptions.MOST_ENGINES ? 0 : number;
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
