package dev.penstock.relaybench;

import dev.penstock.relaybench.rig.Load;
import dev.penstock.relaybench.rig.RigMain;
import dev.penstock.testkit.OwnedProcesses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The rig, spoken to by lines. One thread. */
final class RigProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final Writer commands;
    private final int enginePort;

    private RigProcess(Process process) throws IOException {
        this.process = process;
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        this.commands = process.outputWriter(StandardCharsets.US_ASCII);
        String ready = answers.readLine();
        if (ready == null || !ready.startsWith("ready ")) throw new BenchFailure("the rig did not start: " + ready);
        this.enginePort = Integer.parseInt(ready.substring("ready ".length()));
    }

    static RigProcess start(Cores cores, int engines, Path log) throws IOException {
        List<String> command = cores.onRest(List.of(
                Executables.java(),
                "-XX:+UseSerialGC",
                "-Xms512m",
                "-Xmx512m",
                "-XX:MaxDirectMemorySize=1g",
                "-cp",
                System.getProperty("java.class.path"),
                RigMain.class.getName(),
                String.valueOf(engines)));
        return new RigProcess(OwnedProcesses.start(new ProcessBuilder(command).redirectError(log.toFile())));
    }

    int enginePort() {
        return enginePort;
    }

    void begin(Load load) {
        ask("load " + load.words());
    }

    Counts mark() {
        return Counts.of(ask("mark"));
    }

    void clear() {
        ask("clear");
    }

    Counts end() {
        return Counts.of(ask("stop"));
    }

    private String ask(String command) {
        String answer;
        try {
            commands.write(command + "\n");
            commands.flush();
            answer = answers.readLine();
        } catch (IOException e) {
            throw new BenchFailure("the rig has gone: " + e);
        }
        if (answer == null) throw new BenchFailure("the rig has gone");
        return answer;
    }

    @Override
    public void close() {
        OwnedProcesses.kill(process);
    }
}
