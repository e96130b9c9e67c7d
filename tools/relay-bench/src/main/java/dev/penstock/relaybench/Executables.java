package dev.penstock.relaybench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of this machine. */
final class Executables {
    /** Where Debian has servers, which is not on everybody's PATH. */
    private static final String SERVERS = "/usr/sbin";

    private Executables() {}

    static boolean present(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + SERVERS;
        for (String folder : path.split(File.pathSeparator, -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) return true;
        }
        return false;
    }

    static String find(String name) {
        return Files.isExecutable(Path.of(SERVERS, name)) ? SERVERS + "/" + name : name;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
