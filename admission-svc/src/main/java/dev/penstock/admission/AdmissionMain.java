package dev.penstock.admission;

import dev.penstock.kit.run.ServiceMain;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts the admission service as a process of its own. */
public final class AdmissionMain {
    private static final String CONFIG = "--config";

    private AdmissionMain() {}

    public static void main(String[] args) {
        Path file = configFile(args);
        ServiceMain.run("admission", args, context -> AdmissionWiring.start(context, file));
    }

    /** The file that is watched; arguments that are wrong are refused before anything is started. */
    static @Nullable Path configFile(String[] args) {
        Path file = null;
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith(CONFIG + "=")) file = Path.of(args[i].substring(CONFIG.length() + 1));
            else if (args[i].equals(CONFIG) && i + 1 < args.length) file = Path.of(args[++i]);
        }
        return file;
    }
}
