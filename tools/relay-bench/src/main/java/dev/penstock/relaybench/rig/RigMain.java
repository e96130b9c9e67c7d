package dev.penstock.relaybench.rig;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The rig as a process. It says {@code ready PORT}, then takes a line each from standard input and answers it with one:
 * {@code load WORDS} begins, {@code mark} tells what was counted so far, {@code clear} counts anew, {@code stop} ends and tells.
 * Its argument is the number of engines. Ends with its standard input.
 */
public final class RigMain {
    private RigMain() {}

    public static void main(String[] args) throws IOException {
        Rig rig = new Rig();
        System.out.println("ready " + rig.listen(Integer.parseInt(args[0])));
        Thread.ofPlatform().daemon().name("rig-commands").start(() -> readCommands(rig));
        rig.run();
    }

    private static void readCommands(Rig rig) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String command = line;
                rig.ask(() -> obey(rig, command));
            }
        } catch (IOException closed) {
            System.err.println(closed);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void obey(Rig rig, String command) {
        switch (command.split(" ", 2)[0]) {
            case "load" -> {
                rig.begin(Load.of(words(command)));
                say("begun=1");
            }
            case "mark" -> say(rig.stats.words());
            case "clear" -> {
                rig.stats.clear();
                say("cleared=1");
            }
            case "stop" -> rig.end(() -> say(rig.stats.words()));
            default -> say("unknown=1");
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static Map<String, String> words(String command) {
        Map<String, String> words = new HashMap<>();
        for (String word : command.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) words.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return words;
    }
}
