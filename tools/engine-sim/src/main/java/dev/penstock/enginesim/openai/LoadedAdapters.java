package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.metrics.LoraInfo;
import dev.penstock.enginesim.step.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * LoRA adapters of an engine, and which of them requests use at this moment. Unloading takes the name away; requests that
 * run on it go on. On the engine's event loop.
 */
public final class LoadedAdapters {
    private static final int MOST = 1_000;

    private final LoraInfo info;
    private final Map<String, String> nameToPath = new LinkedHashMap<>();
    private final List<Use> uses = new ArrayList<>();
    private boolean ever;

    /** A request at work. */
    record Use(String adapter, List<Sequence> sequences) {}

    public LoadedAdapters(LoraInfo info) {
        this.info = info;
    }

    /** In the order of loading. */
    public Map<String, String> nameToPath() {
        return nameToPath;
    }

    boolean has(String name) {
        return nameToPath.containsKey(name);
    }

    public boolean loaded(String name) {
        return has(name);
    }

    public boolean full() {
        return nameToPath.size() >= MOST;
    }

    public void load(String name, String path) {
        nameToPath.put(name, path);
        ever = true;
    }

    public void unload(String name) {
        nameToPath.remove(name);
    }

    /** As in a new process. */
    public void reset() {
        nameToPath.clear();
        info.reset();
        ever = false;
    }

    /** Null when that is no adapter's name. */
    @Nullable
    Use begin(String model, List<Sequence> sequences) {
        if (!has(model)) {
            return null;
        }
        Use use = new Use(model, sequences);
        uses.add(use);
        return use;
    }

    void end(Use use) {
        uses.removeIf(each -> each == use);
        note();
    }

    /** Puts the present use on the page, as vLLM does after each step. */
    public void note() {
        if (!ever) {
            return;
        }
        Set<String> running = new TreeSet<>();
        Set<String> waiting = new TreeSet<>();
        for (Use use : uses) {
            for (Sequence sequence : use.sequences) {
                switch (sequence.state()) {
                    case RUNNING -> running.add(use.adapter);
                    case ARRIVING, WAITING -> waiting.add(use.adapter);
                    case FINISHED, ABORTED -> {}
                }
            }
        }
        info.note(running, waiting);
    }
}
