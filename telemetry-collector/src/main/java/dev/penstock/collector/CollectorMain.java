package dev.penstock.collector;

import dev.penstock.kit.run.ServiceMain;

/** Starts a collector as a process of its own. */
public final class CollectorMain {
    private CollectorMain() {}

    public static void main(String[] args) {
        ServiceMain.run("collector", args, CollectorWiring::start);
    }
}
