package dev.penstock.kit.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The command line of a service. */
record Arguments(
        @Nullable Path config,
        boolean printConfig,
        @Nullable String problem) {
    static final String USAGE = "[--config FILE] [--print-config]";

    static Arguments parse(String[] args) {
        Path config = null;
        boolean print = false;
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (arg.equals("--print-config")) print = true;
            else if (arg.startsWith("--config=")) config = Path.of(arg.substring("--config=".length()));
            else if (arg.equals("--config") && i + 1 < args.length) config = Path.of(args[++i]);
            else return new Arguments(null, false, "unknown or incomplete argument " + arg);
        }
        return new Arguments(config, print, null);
    }
}
