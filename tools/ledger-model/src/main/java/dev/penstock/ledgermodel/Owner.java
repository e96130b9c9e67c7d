package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Thaw;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A process of the owner's role. It never dies here: one that takes no step any more is as good as dead. */
final class Owner extends Part {
    /** 0 idle, 1 claimed, 2 facts read, 3 no longer. */
    int phase;

    int routersRead;
    /** 0 nothing, 1 all home, 2 claims read, 3 said drained. */
    int drain;

    @Nullable
    OwnerBook book;
    /** By router and replica, null before its death is known. */
    final @Nullable Thaw[] thaws;

    Owner(int routers, int replicas) {
        thaws = new Thaw[routers * replicas];
    }

    private Owner(@Nullable Thaw[] thaws) {
        this.thaws = thaws;
    }

    void begin(int epoch, Rules rules) {
        book = new OwnerBook(epoch, rules);
        phase = 1;
    }

    Owner copy() {
        @Nullable Thaw[] copies = thaws.clone();
        for (int i = 0; i < copies.length; i++) {
            Thaw thaw = copies[i];
            if (thaw != null) copies[i] = thaw.copy();
        }
        Owner copy = new Owner(copies);
        copy.phase = phase;
        copy.routersRead = routersRead;
        copy.drain = drain;
        copy.book = book == null ? null : book.copy();
        return copy;
    }

    @Override
    void state(IntConsumer out) {
        out.accept(phase);
        if (phase == 3) return;
        out.accept(routersRead);
        out.accept(drain);
        if (book != null) book.state(out);
        for (Thaw thaw : thaws) out.accept(thaw == null ? -1 : thaw.progress());
    }
}
