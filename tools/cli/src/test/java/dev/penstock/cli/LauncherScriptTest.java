package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script is sourced, and one of its functions called. */
class LauncherScriptTest {
    private static final Path SCRIPT =
            Path.of("../../penstock").toAbsolutePath().normalize();

    @TempDir
    Path root;

    @BeforeEach
    void installations() throws IOException {
        jdk("usual/jdk-17", "17.0.12");
        jdk("usual/jdk-25", "25.0.1");
        jdk("home", "25");
        jdk("old", "21.0.2");
        jdk("later", "250.0.1");
        Files.createDirectories(root.resolve("jre-only"));
        Files.writeString(root.resolve("jre-only/release"), "JAVA_VERSION=\"25\"\n");
    }

    @Test
    void ownVariableWins() throws Exception {
        assertThat(findJdk(Map.of("PENSTOCK_JAVA_HOME", path("home"), "JAVA_HOME", path("usual/jdk-25"))))
                .isEqualTo(new Run(0, path("home") + "\n", ""));
    }

    @Test
    void javaHomeOfAnotherVersionIsPassedOver() throws Exception {
        assertThat(findJdk(Map.of("JAVA_HOME", path("old"))).out()).isEqualTo(path("usual/jdk-25") + "\n");
        assertThat(findJdk(Map.of("JAVA_HOME", path("later"))).out()).isEqualTo(path("usual/jdk-25") + "\n");
        assertThat(findJdk(Map.of("JAVA_HOME", path("jre-only"))).out()).isEqualTo(path("usual/jdk-25") + "\n");
    }

    @Test
    void withoutOneItSaysHowToGetOne() throws Exception {
        Files.delete(root.resolve("usual/jdk-25/release"));

        Run run = findJdk(Map.of("PENSTOCK_JAVA_HOME", path("old")));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("PENSTOCK_JAVA_HOME=" + path("old"), "adoptium.net", "sdk install");
    }

    @Test
    void buildsWhenASourceIsNewerThanTheStamp() throws Exception {
        Path source = write("router-svc/src/main/java/A.java");
        write("router-svc/src/test/java/ATest.java");
        assertThat(buildReason()).isEqualTo("first use");
        write("tools/cli/target/cli.jar");
        write("tools/cli/target/.built");

        assertThat(buildReason()).isEmpty();
        Files.setLastModifiedTime(
                root.resolve("router-svc/src/test/java/ATest.java"),
                FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        assertThat(buildReason()).isEmpty();
        Files.setLastModifiedTime(source, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        assertThat(buildReason()).isEqualTo("router-svc/src/main/java/A.java has changed");
    }

    @Test
    void linkLeadsToTheRepository() throws Exception {
        Path link = Files.createSymbolicLink(root.resolve("link"), SCRIPT);

        Run run = bash("repo_root " + link, Map.of());

        Files.delete(link);
        assertThat(run.out()).isEqualTo(SCRIPT.getParent().toRealPath() + "\n");
    }

    private String buildReason() throws Exception {
        return bash("ROOT=" + root.toRealPath() + "; build_reason", Map.of()).out();
    }

    private Run findJdk(Map<String, String> environment) throws Exception {
        return bash("JDK_FOLDERS=(" + root + "/usual/*); find_jdk", environment);
    }

    private Run bash(String command, Map<String, String> environment) throws Exception {
        var builder = new ProcessBuilder("bash", "-c", ". " + SCRIPT + "; " + command);
        builder.environment().keySet().removeAll(Set.of("PENSTOCK_JAVA_HOME", "JAVA_HOME"));
        builder.environment().putAll(environment);
        Path err = root.resolve("err");
        Process process = builder.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), out, Files.readString(err));
    }

    private void jdk(String folder, String version) throws IOException {
        Files.writeString(write(folder + "/release"), "IMPLEMENTOR=\"Any\"\nJAVA_VERSION=\"" + version + "\"\n");
        write(folder + "/bin/java").toFile().setExecutable(true);
        write(folder + "/bin/javac").toFile().setExecutable(true);
    }

    private Path write(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }

    private String path(String name) {
        return root.resolve(name).toString();
    }
}
