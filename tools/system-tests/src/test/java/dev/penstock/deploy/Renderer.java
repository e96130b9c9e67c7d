package dev.penstock.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** {@code kubectl kustomize}: renders, needs no cluster. */
final class Renderer {
    private static final long SECONDS = 60;

    private Renderer() {}

    /** Skips the test where there is no kubectl. */
    static String render(String folder) throws IOException, InterruptedException {
        String kubectl = find();
        Assumptions.assumeTrue(
                kubectl != null,
                "kubectl is not on the PATH and PENSTOCK_KUBECTL does not name one: .ci/run fetches it, or install it");
        Path output = Files.createTempFile("penstock-manifests", ".yaml");
        Path errors = Files.createTempFile("penstock-manifests", ".err");
        try {
            Process process = new ProcessBuilder(
                            kubectl, "kustomize", Repository.file(folder).toString())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl kustomize " + folder + " took more than " + SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new AssertionError("kubectl kustomize " + folder + ": " + Files.readString(errors));
            }
            return Files.readString(output);
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    private static String find() {
        String given = System.getenv("PENSTOCK_KUBECTL");
        if (given != null && !given.isBlank()) {
            if (!Files.isExecutable(Path.of(given))) {
                throw new AssertionError("PENSTOCK_KUBECTL=" + given + " is not a program");
            }
            return given;
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Path candidate = Path.of(folder, "kubectl");
            if (!folder.isEmpty() && Files.isExecutable(candidate)) return candidate.toString();
        }
        return null;
    }
}
