package dev.penstock.relaybench.rig;

/** What a selection key belongs to. */
interface Socket {
    /** Called when the channel can be accepted from, read from or written to. */
    void ready();
}
