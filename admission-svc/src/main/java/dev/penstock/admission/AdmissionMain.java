package dev.penstock.admission;

import dev.penstock.kit.run.ServiceMain;

/** Starts the admission service as a process of its own. */
public final class AdmissionMain {
    private AdmissionMain() {}

    public static void main(String[] args) {
        ServiceMain.run("admission", args, AdmissionWiring::start);
    }
}
