package dev.penstock.relaybench;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@link BareRelay} in a JVM like the router's. */
record BareContender(int port, Child child, JvmProbe probe) implements Contender {
    static BareContender start(Cores cores, List<String> flags, Path folder, String host, int upstream)
            throws IOException {
        int port = FreePorts.one();
        List<String> command = new ArrayList<>(List.of(Executables.java()));
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                BareMain.class.getName(),
                String.valueOf(port),
                host,
                String.valueOf(upstream)));
        Child child = Child.start(cores.onContender(command), Map.of(), folder.resolve("bare.log"));
        Await.until("the bare relay listens", Duration.ofSeconds(60), () -> {
            child.requireAlive();
            return Http.accepts(port);
        });
        return new BareContender(port, child, JvmProbe.attach(child.handle().pid()));
    }

    @Override
    public String name() {
        return "bare";
    }

    @Override
    public boolean jvm() {
        return true;
    }

    @Override
    public long allocatedBytes() {
        return probe.allocatedBytes();
    }

    @Override
    public void awaitReady() {}

    @Override
    public void close() throws IOException, InterruptedException {
        probe.close();
        child.close();
    }
}
