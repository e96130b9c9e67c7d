package dev.penstock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Runnable {
    private final Terminal terminal;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        terminal.out().println(text());
    }

    private static String text() {
        Properties properties = new Properties();
        try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
            if (in != null) properties.load(in);
        } catch (IOException e) {
            throw CliFailure.failed("Cannot read version.properties: " + e);
        }
        return "penstock " + properties.getProperty("version", "unknown") + " (Java " + Runtime.version() + ")";
    }

    static final class Provider implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {text()};
        }
    }
}
