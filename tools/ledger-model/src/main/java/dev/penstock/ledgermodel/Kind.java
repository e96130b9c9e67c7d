package dev.penstock.ledgermodel;

/** What can happen next. The letters say what the numbers of a {@link Step} mean: r router, o owner, i replica, s session. */
enum Kind {
    /** r: a process is started, since its name's lock is free, and writes its registration. */
    REGISTER("r"),
    /** r: has read it back, and reads the claims to their end. */
    ENROL("r"),
    /** r: reads the claims to their end once more. */
    LEARN_CLAIMS("r"),
    /** r, o: stops reading its stream, opens one to an owner and sends its SYNC. */
    OPEN("ro"),
    /** r, s: takes the next message of a stream from an owner. */
    TAKE("rs"),
    /** r, i: gives a free slot back. */
    GIVE_BACK("ri"),
    /** r: reads no grants any more. */
    LEAVE("r"),
    /** r: writes its deregistration. */
    DEREGISTER("r"),
    /** r: is killed. */
    DIE("r"),
    /** r: its death is proven to the registrations. */
    PROVE("r"),
    /** r, i: a request takes a slot. */
    ADMIT("ri"),
    /** r, i: and is written to its socket. */
    WRITE("ri"),
    /** r, i: its client left, and the slot was released at once (only without CLOSING_IS_USED). */
    FORGET("ri"),
    /** r, i: what a dead process had in its socket reaches the engine (only without NOTHING_SENT_BY_THE_DEAD). */
    ARRIVE("ri"),
    /** r, i: the engine's gauges show what a dead process had sent. */
    SHOW("ri"),
    /** r, i: the engine ends it, and the router, if it lives, hears of that. */
    FINISH("ri"),
    /** o: writes a claim. */
    CLAIM("o"),
    /** o: reads registrations, limits and lifecycle to their ends. */
    READ_FACTS("o"),
    /** o: reads on in the registrations. */
    READ_ROUTERS("o"),
    /** o: reads on in limits and lifecycle. */
    READ_POLICY("o"),
    /** o, r, s: takes the next message of a stream from a router. */
    HEAR("ors"),
    /** o, r, i: grants a slot. */
    GRANT("ori"),
    /** o, r, i: recalls all of a router's slots. */
    RECALL("ori"),
    /** o, r, i: reads the claims to begin a thaw. */
    BEGIN_THAW("ori"),
    /** o, i: an answered scrape. */
    SCRAPE("oi"),
    /** o: finds all slots home. */
    ALL_HOME("o"),
    /** o: then reads the claims to their end. */
    HOME_CLAIMS("o"),
    /** o: then the registrations, and says drained. */
    HOME_ROUTERS("o"),
    /** Replica 0 begins to drain. */
    DRAIN(""),
    /** Replica 0's limit is lowered by one. */
    LOWER(""),
    /** And raised again. */
    RAISE(""),
    /** The registrations are compacted, as far as they go. */
    COMPACT("");

    private final String letters;

    Kind(String letters) {
        this.letters = letters;
    }

    String letters() {
        return letters;
    }
}
