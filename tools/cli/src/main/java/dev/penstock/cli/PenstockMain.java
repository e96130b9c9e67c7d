package dev.penstock.cli;

import java.util.List;

/** Entry point of the launcher script. */
public final class PenstockMain {
    private PenstockMain() {}

    public static void main(String[] args) {
        if (!List.of(args).contains("up") && System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "dev/penstock/cli/logback-quiet.xml");
        }
        System.exit(Penstock.run(Terminal.system(), args));
    }
}
