package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rule;
import dev.penstock.core.ledger.SlotCell;
import dev.penstock.core.ledger.Thaw;
import java.util.List;
import java.util.function.IntConsumer;

/** Every step that can be taken in a world. What a rule forbids is not told while that rule is in force. */
final class Steps {
    private static final int MOST_QUEUED = 2;

    private final World world;
    private final IntConsumer out;

    Steps(World world, IntConsumer out) {
        this.world = world;
        this.out = out;
    }

    void tell() {
        for (int r = 0; r < world.routers.length; r++) routerSteps(r);
        for (int o = 0; o < world.owners.length; o++) ownerSteps(o);
        if (world.bounds.drains() && !world.draining) out.accept(Step.of(Kind.DRAIN, 0, 0, 0));
        if (world.bounds.lowers() && !world.lowered) out.accept(Step.of(Kind.LOWER, 0, 0, 0));
        if (world.lowered && !world.raised) out.accept(Step.of(Kind.RAISE, 0, 0, 0));
        if (world.wouldCompact()) out.accept(Step.of(Kind.COMPACT, 0, 0, 0));
    }

    private void routerSteps(int r) {
        Router router = world.routers[r];
        switch (router.phase) {
            case NOT_STARTED -> {
                if (!mayStart(r)) return;
                out.accept(Step.of(Kind.REGISTER, r, 0, 0));
                if (!world.rules.has(Rule.REGISTER_THEN_READ)) out.accept(Step.of(Kind.ENROL, r, 0, 0));
            }
            case REGISTERED -> out.accept(Step.of(router.registered ? Kind.ENROL : Kind.REGISTER, r, 0, 0));
            case ENROLLED -> {
                if (router.claim < world.claims.size()) out.accept(Step.of(Kind.LEARN_CLAIMS, r, 0, 0));
                if (world.bounds.leaves()) out.accept(Step.of(Kind.LEAVE, r, 0, 0));
                opens(r, router);
            }
            case LEAVING -> {
                opens(r, router);
                if (World.bookOf(router).mayDeregister()) out.accept(Step.of(Kind.DEREGISTER, r, 0, 0));
            }
            case LEFT -> {}
            case DEAD -> {
                // Otherwise a successor proves it.
                boolean last = world.healing || r + world.bounds.names() >= world.routers.length;
                if (last && router.registered && !isProven(r)) out.accept(Step.of(Kind.PROVE, r, 0, 0));
            }
        }
        if (router.alive()) {
            out.accept(Step.of(Kind.DIE, r, 0, 0));
            reads(r, router);
        }
        for (int i = 0; i < world.limits.length; i++) requestSteps(r, router, i);
    }

    /** Names are alike: the first starts first. */
    private boolean mayStart(int r) {
        int before = r - world.bounds.names();
        if (before < 0) return r == 0 || world.routers[r - 1].phase != Router.Phase.NOT_STARTED;
        return world.routers[before].phase == Router.Phase.DEAD || world.routers[before].phase == Router.Phase.LEFT;
    }

    private boolean isProven(int r) {
        for (Registration each : world.registrations) {
            if (each.what() == Registration.What.DIED && each.router() == r) return true;
            if (each.what() == Registration.What.REGISTERED && each.router() == r + world.bounds.names()) return true;
        }
        return false;
    }

    private void opens(int r, Router router) {
        if (!world.healing && router.links.size() == world.bounds.sessions()
                || !World.bookOf(router).mayFollow(router.claim)) return;
        for (int o = 0; o < world.owners.length; o++) {
            OwnerBook book = world.owners[o].book;
            if (book == null || world.owners[o].phase == 3 || book.epoch() != router.claim) continue;
            out.accept(Step.of(Kind.OPEN, r, o, 0));
        }
    }

    private void reads(int r, Router router) {
        for (int s = 0; s < router.links.size(); s++) {
            if (router.links.get(s).toRouter.isEmpty()) continue;
            // An old stream is read no more, and a leaving router reads none.
            if (world.rules.has(Rule.NEWEST_SESSION_ONLY) && s < router.links.size() - 1) continue;
            if (world.rules.has(Rule.LEAVE_EMPTY) && router.phase == Router.Phase.LEAVING) continue;
            out.accept(Step.of(Kind.TAKE, r, s, 0));
        }
    }

    private void requestSteps(int r, Router router, int i) {
        if (router.admits() && router.book != null) {
            SlotCell cell = router.book.cell(i);
            if (cell.free() && router.requests(i) < world.bounds.requests()) out.accept(Step.of(Kind.ADMIT, r, i, 0));
            if (cell.held() > cell.used() && hasRoom(router)) out.accept(Step.of(Kind.GIVE_BACK, r, i, 0));
            if (router.admitted[i] > 0) out.accept(Step.of(Kind.WRITE, r, i, 0));
            if (router.front[i] > 0 && !world.rules.has(Rule.CLOSING_IS_USED))
                out.accept(Step.of(Kind.FORGET, r, i, 0));
        }
        if (!router.alive()) {
            if (router.socket[i] > 0) out.accept(Step.of(Kind.ARRIVE, r, i, 0));
            if (router.front[i] + router.frontOld[i] > 0) out.accept(Step.of(Kind.SHOW, r, i, 0));
        }
        if (router.inFlight(i) > 0) out.accept(Step.of(Kind.FINISH, r, i, 0));
    }

    private static boolean hasRoom(Router router) {
        Link link = router.newest();
        return link != null && link.toOwner.size() < MOST_QUEUED;
    }

    private void ownerSteps(int o) {
        Owner owner = world.owners[o];
        if (owner.phase == 0) {
            // They are alike but for their names: the third is the first one's successor.
            if (o == 0 || world.owners[0].phase > 0) out.accept(Step.of(Kind.CLAIM, o, 0, 0));
            return;
        }
        OwnerBook book = owner.book;
        if (book == null || owner.phase == 3) return;
        if (owner.phase == 1) out.accept(Step.of(Kind.READ_FACTS, o, 0, 0));
        else {
            if (owner.routersRead < world.registrations.size()) out.accept(Step.of(Kind.READ_ROUTERS, o, 0, 0));
            if (knowsLess(book)) out.accept(Step.of(Kind.READ_POLICY, o, 0, 0));
            if (owner.drain == 0 && book.allHome(0)) out.accept(Step.of(Kind.ALL_HOME, o, 0, 0));
            if (owner.drain == 1) out.accept(Step.of(Kind.HOME_CLAIMS, o, 0, 0));
            if (owner.drain == 2) out.accept(Step.of(Kind.HOME_ROUTERS, o, 0, 0));
        }
        for (int r = 0; r < world.routers.length; r++) {
            hears(o, r, book);
            Link link = world.linkOf(o, r, book);
            for (int i = 0; i < world.limits.length; i++) {
                if (link != null && link.toRouter.size() < MOST_QUEUED) {
                    if (book.grantable(i) > 0) out.accept(Step.of(Kind.GRANT, o, r, i));
                    if (world.bounds.recalls() && book.out(world.routers[r].id, i) > 0 && link.toRouter.isEmpty()) {
                        out.accept(Step.of(Kind.RECALL, o, r, i));
                    }
                }
                Thaw thaw = owner.thaws[r * world.limits.length + i];
                if (thaw != null && !thaw.watching()) out.accept(Step.of(Kind.BEGIN_THAW, o, r, i));
            }
        }
        for (int i = 0; i < world.limits.length; i++) {
            if (watches(owner, i) && !anyOldFront(i)) out.accept(Step.of(Kind.SCRAPE, o, i, 0));
        }
    }

    private boolean knowsLess(OwnerBook book) {
        if (world.draining && !book.isDraining(0)) return true;
        for (int i = 0; i < world.limits.length; i++) if (book.limit(i) != world.limits[i]) return true;
        return false;
    }

    private void hears(int o, int r, OwnerBook book) {
        List<Link> links = world.routers[r].links;
        for (int s = 0; s < links.size(); s++) {
            Link link = links.get(s);
            if (link.owner != o || link.toOwner.isEmpty()) continue;
            // Asked again when the world.registrations have been read on.
            if (link.toOwner.peekFirst() instanceof Message.Hello && !book.knows(world.routers[r].id)) continue;
            out.accept(Step.of(Kind.HEAR, o, r, s));
        }
    }

    private boolean watches(Owner owner, int i) {
        for (int r = 0; r < world.routers.length; r++) {
            Thaw thaw = owner.thaws[r * world.limits.length + i];
            if (thaw != null && thaw.watching()) return true;
        }
        return false;
    }

    /** What had arrived before a scrape shows in the next one. */
    private boolean anyOldFront(int i) {
        for (Router router : world.routers) if (router.frontOld[i] > 0) return true;
        return false;
    }
}
