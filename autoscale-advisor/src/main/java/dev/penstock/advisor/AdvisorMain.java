package dev.penstock.advisor;

import dev.penstock.kit.run.ServiceMain;

/** Starts an advisor as a process of its own. */
public final class AdvisorMain {
    private AdvisorMain() {}

    public static void main(String[] args) {
        ServiceMain.run("advisor", args, AdvisorWiring::start);
    }
}
