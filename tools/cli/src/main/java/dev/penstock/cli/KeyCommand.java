package dev.penstock.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** API keys for the file that {@code security.apiKeysFile} names. */
@Command(
        name = "key",
        description = "Make an API key for a client, or the hash of one.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class KeyCommand implements Callable<Integer> {
    /** Lets people and scanners of leaked secrets know what it is. */
    private static final String PREFIX = "psk_";

    private static final int KEY_BYTES = 32;
    private static final int LONGEST_KEY = 8192;

    /** What routers take as a tenant's name. */
    private static final Pattern TENANT = Pattern.compile("(?!psk_)[A-Za-z0-9][A-Za-z0-9._:|@/+=-]{0,127}");

    /** Visible ASCII: what a header can carry. */
    private static final Pattern KEY = Pattern.compile("[!-~]+");

    private final Terminal terminal;
    private final RandomGenerator random;

    KeyCommand(Terminal terminal, RandomGenerator random) {
        this.terminal = terminal;
        this.random = random;
    }

    @Override
    public Integer call() {
        throw CliFailure.wrongUse("Say what: penstock key new, or penstock key hash.");
    }

    @Command(
            name = "new",
            description = {
                "Print a new key, and the lines for the file of keys.",
                "The key is shown this once and stored nowhere; the file holds its hash."
            },
            mixinStandardHelpOptions = true)
    int fresh(
            @Option(
                            names = "--tenant",
                            paramLabel = "T",
                            defaultValue = "default",
                            description = "Whose it is. Default: ${DEFAULT-VALUE}")
                    String tenant) {
        if (!TENANT.matcher(tenant).matches() || tenant.equals("other")) {
            throw CliFailure.wrongUse(
                    "--tenant: expected 1 to 128 letters, digits and ._:|@/+=-, a letter or digit first; not 'other'.");
        }
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        String key = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        terminal.err().println("The key, shown this once, and below it what belongs under keys: in the file that");
        terminal.err().println("security.apiKeysFile names:");
        terminal.out().println(key);
        terminal.out().println("  - tenant: '" + tenant + "'");
        terminal.out().println("    sha256: '" + hash(key) + "'");
        return ExitCode.OK;
    }

    @Command(
            name = "hash",
            description = "Read a key from standard input, as one line, and print its hash.",
            mixinStandardHelpOptions = true)
    int hash() {
        String key = readLine();
        if (!KEY.matcher(key).matches()) {
            throw CliFailure.wrongUse("Expected one line on standard input: a key of 1 to " + LONGEST_KEY
                    + " visible ASCII characters, without blanks.");
        }
        terminal.out().println(hash(key));
        return ExitCode.OK;
    }

    /** Empty when there is none, or more than a key. */
    private String readLine() {
        char[] text = new char[LONGEST_KEY + 2];
        int length = 0;
        try (var in = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8))) {
            for (int n; length < text.length && (n = in.read(text, length, text.length - length)) > 0; ) length += n;
        } catch (IOException e) {
            throw CliFailure.environment(
                    "Standard input cannot be read: " + e.getClass().getSimpleName());
        }
        String line = new String(text, 0, length).replaceFirst("\r?\n$", "");
        return line.length() <= LONGEST_KEY ? line : "";
    }

    private static String hash(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
