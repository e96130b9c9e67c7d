package dev.penstock.relaybench.rig;

/** Where the rig's engines listen: each on an address of its own, all on one port. */
public final class Engines {
    /** Of the last part of an address; 0 and 255 mean something else. */
    private static final int PER_PART = 250;

    private Engines() {}

    /** Addresses of 127.0.0.0/8, all of which Linux takes for its own. */
    public static String host(int engine) {
        return "127.1." + engine / PER_PART + "." + (engine % PER_PART + 1);
    }
}
