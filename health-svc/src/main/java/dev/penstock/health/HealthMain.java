package dev.penstock.health;

import dev.penstock.kit.run.ServiceMain;

/** Starts a health-svc as a process of its own. */
public final class HealthMain {
    private HealthMain() {}

    public static void main(String[] args) {
        ServiceMain.run("health", args, HealthWiring::start);
    }
}
