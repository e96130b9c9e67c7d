package dev.penstock.relaybench;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param zgc run the JVM contenders with generational ZGC, which they are not deployed with
 * @param urgent before other work of this machine, which needs the right to ask for it
 * @param pairs instead of the form's own number, or 0
 * @param recording where to put what JFR saw of the router while it was measured
 */
public record RelayOptions(
        boolean full,
        Set<Scene> scenes,
        boolean zgc,
        boolean urgent,
        int pairs,
        @Nullable Path recording) {
    public static final Set<Scene> ALL = EnumSet.allOf(Scene.class);

    String command() {
        StringBuilder command = new StringBuilder("./penstock bench relay");
        if (full) command.append(" --full");
        if (!scenes.equals(ALL)) {
            command.append(" --scene ")
                    .append(String.join(",", scenes.stream().map(Scene::label).toList()));
        }
        if (zgc) command.append(" --zgc");
        if (urgent) command.append(" --urgent");
        if (pairs > 0) command.append(" --pairs ").append(pairs);
        return command.toString();
    }

    Form form() {
        Form form = full ? Form.FULL : Form.SMALL;
        return pairs == 0 ? form : form.withPairs(pairs);
    }
}
