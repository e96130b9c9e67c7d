package dev.penstock.router;

import dev.penstock.kit.run.ServiceMain;

/** Starts a router as a process of its own. */
public final class RouterMain {
    private RouterMain() {}

    public static void main(String[] args) {
        ServiceMain.run("router", args, RouterWiring::start);
    }
}
