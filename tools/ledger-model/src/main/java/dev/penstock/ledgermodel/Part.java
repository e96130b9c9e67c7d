package dev.penstock.ledgermodel;

import java.util.function.IntConsumer;

/** A part of the world that worlds share until a step changes it: whoever changes it copies it first. */
abstract class Part {
    private long high;
    private long low;
    private boolean printed;

    /** Everything that its future depends on. */
    abstract void state(IntConsumer out);

    /** Its fingerprint, made once. */
    final void print(Fingerprint into) {
        if (!printed) {
            Fingerprint own = new Fingerprint();
            state(own);
            high = own.high();
            low = own.low();
            printed = true;
        }
        into.add(high);
        into.add(low);
    }
}
