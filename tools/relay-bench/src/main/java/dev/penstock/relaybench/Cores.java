package dev.penstock.relaybench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Who runs where: contenders on the first core this process may use, all else on the others. Where there is one core only,
 * or no {@code taskset}, nobody is pinned, and {@link #note} says so.
 *
 * @param urgent all of them before other work of the machine, where this user may ask for that
 */
record Cores(String contender, String rest, boolean pinned, boolean urgent, String note) {
    private static final String NICENESS = "-15";

    static Cores of(boolean urgent) {
        List<Integer> allowed = allowed();
        if (allowed.size() < 2) return unpinned(urgent, "one core only: contenders share it with their load");
        if (!Executables.present("taskset")) return unpinned(urgent, "no taskset: contenders are not pinned to a core");
        String rest = String.join(
                ",",
                allowed.subList(1, allowed.size()).stream().map(String::valueOf).toList());
        String first = String.valueOf(allowed.getFirst());
        return new Cores(first, rest, true, urgent, "contenders on core " + first + ", all else on " + rest);
    }

    private static Cores unpinned(boolean urgent, String why) {
        return new Cores("", "", false, urgent, why);
    }

    private static List<Integer> allowed() {
        List<Integer> cores = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (!line.startsWith("Cpus_allowed_list:")) continue;
                for (String range :
                        line.substring(line.indexOf(':') + 1).strip().split(",", -1)) {
                    String[] ends = range.split("-", -1);
                    int last = Integer.parseInt(ends[ends.length - 1]);
                    for (int core = Integer.parseInt(ends[0]); core <= last; core++) cores.add(core);
                }
            }
        } catch (IOException notLinux) {
            return List.of();
        }
        return cores;
    }

    List<String> onContender(List<String> command) {
        return on(contender, command);
    }

    List<String> onRest(List<String> command) {
        return on(rest, command);
    }

    private List<String> on(String list, List<String> command) {
        List<String> placed = new ArrayList<>();
        if (pinned) placed.addAll(List.of("taskset", "-c", list));
        placed.addAll(command);
        return placed;
    }

    /** Moves this JVM, with the broker in it, off the contenders' core. */
    void moveSelf() throws IOException, InterruptedException {
        String self = String.valueOf(ProcessHandle.current().pid());
        if (pinned) run("taskset", "-apc", rest, self);
        if (!urgent) return;
        // Of all its threads: a process's priority is that of its first thread, which only new ones inherit.
        run("sh", "-c", "renice -n " + NICENESS + " -p $(ls /proc/" + self + "/task)");
        groupNiceness(NICENESS);
    }

    /** What is left of it when this JVM has ended is that of its session, which may live on. */
    void release() {
        if (urgent) groupNiceness("0");
    }

    /** Where the kernel shares time among sessions first, a process's own niceness counts within its session only. */
    private static void groupNiceness(String niceness) {
        try {
            Files.writeString(Path.of("/proc/self/autogroup"), niceness);
        } catch (IOException noGroupsOrNoRight) {
            // Then the threads' own niceness is all there is.
            return;
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
