package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.OwnerBook.Greeting;
import dev.penstock.core.ledger.Rule;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Thaw;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Everything there is at one moment: two topics, processes, streams, engines. {@link Steps} says what can happen, {@link #apply} does it. */
final class World {
    final Bounds bounds;
    final Rules rules;
    final Router[] routers;
    final Owner[] owners;
    /** Owners by claim; the epoch of a claim is its place, from 1. */
    List<Integer> claims = new ArrayList<>(3);

    List<Registration> registrations = new ArrayList<>();
    int[] limits;
    boolean draining;
    boolean lowered;
    boolean raised;
    /** Of the registrations before this one, the last of each key is left. */
    int compacted;
    /** What a GRANT did that it may not, else null. */
    @Nullable
    String granted;
    /** An owner said so of replica 0. */
    boolean drained;
    /** Nothing breaks any more, and what is needed to repair it is not bounded. */
    boolean healing;

    World(Bounds bounds, Rules rules) {
        this.bounds = bounds;
        this.rules = rules;
        routers = new Router[bounds.routers()];
        for (int r = 0; r < routers.length; r++) routers[r] = new Router(r, bounds.names(), bounds.replicas());
        owners = new Owner[bounds.owners()];
        for (int o = 0; o < owners.length; o++) owners[o] = new Owner(routers.length, bounds.replicas());
        limits = new int[bounds.replicas()];
        Arrays.fill(limits, bounds.limit());
    }

    private World(World of) {
        bounds = of.bounds;
        rules = of.rules;
        routers = of.routers.clone();
        owners = of.owners.clone();
        claims = of.claims;
        registrations = of.registrations;
        limits = of.limits;
        draining = of.draining;
        lowered = of.lowered;
        raised = of.raised;
        compacted = of.compacted;
        drained = of.drained;
        healing = of.healing;
    }

    World copy() {
        return new World(this);
    }

    /** Of which {@link Healing} takes the steps. */
    World healing() {
        World copy = copy();
        copy.healing = true;
        return copy;
    }

    boolean can(int step) {
        boolean[] can = {false};
        steps(each -> can[0] |= each == step);
        return can[0];
    }

    World after(int step) {
        World next = copy();
        next.apply(step);
        return next;
    }

    /** Tells every step that can be taken now. */
    void steps(IntConsumer out) {
        new Steps(this, out).tell();
    }

    void apply(int step) {
        int a = Step.a(step);
        int b = Step.b(step);
        int c = Step.c(step);
        switch (Step.kind(step)) {
            case REGISTER -> register(router(a), a);
            case ENROL -> enrol(router(a));
            case LEARN_CLAIMS -> router(a).claim = claims.size();
            case OPEN -> open(router(a), b);
            case TAKE -> take(router(a), b);
            case GIVE_BACK -> {
                Router router = router(a);
                send(router, b, bookOf(router).giveBack(b, 1));
            }
            case LEAVE -> {
                Router router = router(a);
                router.phase = Router.Phase.LEAVING;
                bookOf(router).leave();
            }
            case DEREGISTER -> {
                long epoch = bookOf(routers[a]).epoch();
                gone(router(a), Router.Phase.LEFT);
                record(Registration.What.LEFT, a, 0, epoch);
            }
            case DIE -> gone(router(a), Router.Phase.DEAD);
            case PROVE -> record(Registration.What.DIED, a, 0, 0);
            case ADMIT -> {
                Router router = router(a);
                if (!bookOf(router).cell(b).admit()) throw new IllegalStateException("no slot");
                router.admitted[b]++;
            }
            case WRITE -> {
                Router router = router(a);
                boolean lost = rules.has(Rule.NOTHING_SENT_BY_THE_DEAD);
                move(router.admitted, lost ? router.front : router.socket, b);
            }
            case FORGET -> {
                Router router = router(a);
                move(router.front, router.ghosts, b);
                released(router, b);
            }
            case ARRIVE -> {
                Router router = router(a);
                move(router.socket, router.front, b);
            }
            case SHOW -> {
                Router router = router(a);
                move(router.frontOld[b] > 0 ? router.frontOld : router.front, router.running, b);
            }
            case FINISH -> finish(router(a), b);
            case CLAIM -> claim(a);
            case READ_FACTS -> {
                Owner owner = owner(a);
                readRouters(owner, true);
                readPolicy(owner);
                ownerBook(a).factsRead();
                owner.phase = 2;
            }
            case READ_ROUTERS -> readRouters(owner(a), false);
            case READ_POLICY -> readPolicy(owner(a));
            case HEAR -> {
                owner(a);
                Router router = router(b);
                hear(ownerBook(a), router, router.links.get(c));
            }
            case GRANT -> {
                owner(a);
                router(b);
                grant(a, b, c);
            }
            case RECALL -> {
                router(b);
                link(a, b).toRouter.add(new Message.Recalled(c, 0));
            }
            case BEGIN_THAW -> {
                Owner owner = owner(a);
                beginThaw(owner, owner.thaws[b * limits.length + c]);
            }
            case SCRAPE -> scrape(owner(a), b);
            case ALL_HOME -> {
                Owner owner = owner(a);
                owner.drain = rules.has(Rule.DRAINED_WHEN_READ) ? 1 : 3;
                drained |= owner.drain == 3;
            }
            case HOME_CLAIMS -> {
                Owner owner = owner(a);
                if (claims.size() == ownerBook(a).epoch()) owner.drain = 2;
                else owner.phase = 3;
            }
            case HOME_ROUTERS -> {
                Owner owner = owner(a);
                readRouters(owner, false);
                owner.drain = ownerBook(a).allHome(0) ? 3 : 0;
                drained |= owner.drain == 3;
            }
            case DRAIN -> draining = true;
            case LOWER -> {
                lowered = true;
                limits = limits.clone();
                limits[0]--;
            }
            case RAISE -> {
                raised = true;
                limits = limits.clone();
                limits[0]++;
            }
            case COMPACT -> compacted = registrations.size();
        }
        tidy();
    }

    /** To be changed by this step alone. */
    private Router router(int r) {
        return routers[r] = routers[r].copy();
    }

    private Owner owner(int o) {
        return owners[o] = owners[o].copy();
    }

    private void record(Registration.What what, int router, int replica, long epoch) {
        registrations = new ArrayList<>(registrations);
        registrations.add(new Registration(what, router, replica, epoch));
    }

    /** Takes away what nobody would take notice of, so that states which differ by it alone are one. */
    private void tidy() {
        for (int r = 0; r < routers.length; r++) {
            for (int s = 0; s < routers[r].links.size(); s++) {
                Link link = routers[r].links.get(s);
                Owner owner = owners[link.owner];
                OwnerBook book = owner.book;
                if (link.toOwner.isEmpty() && link.toRouter.isEmpty() || book == null) continue;
                boolean isVoid = owner.phase == 3 || link.session < book.session(routers[r].id);
                if (isVoid && !link.toOwner.isEmpty())
                    router(r).links.get(s).toOwner.clear();
            }
        }
    }

    private void register(Router router, int r) {
        router.registered = true;
        router.phase = router.book == null ? Router.Phase.REGISTERED : Router.Phase.ENROLLED;
        record(Registration.What.REGISTERED, r, 0, 0);
    }

    private void enrol(Router router) {
        router.claim = claims.size();
        HolderBook book = new HolderBook(router.id, router.claim, rules);
        for (int i = 0; i < limits.length; i++) book.cell(i);
        router.book = book;
        router.phase = router.registered ? Router.Phase.ENROLLED : Router.Phase.REGISTERED;
    }

    private void open(Router router, int owner) {
        var sync = bookOf(router).open(router.claim);
        if (rules.has(Rule.NEWEST_SESSION_ONLY)) for (Link each : router.links) each.toRouter.clear();
        Link link = new Link(owner, sync.epoch(), sync.session());
        link.toOwner.add(new Message.Hello(sync));
        router.links.add(link);
    }

    private static void take(Router router, int session) {
        Link link = router.links.get(session);
        switch (link.toRouter.remove()) {
            case Message.Granted(int replica, int slots) ->
                bookOf(router).granted(link.epoch, link.session, replica, slots);
            case Message.Recalled(int replica, int target) ->
                send(router, replica, bookOf(router).recalled(link.epoch, link.session, replica, target));
            case Message.Hello hello -> throw new IllegalStateException("to a router");
            case Message.Returned returned -> throw new IllegalStateException("to a router");
        }
    }

    private static void released(Router router, int replica) {
        HolderBook book = bookOf(router);
        if (book.cell(replica).release()) send(router, replica, book.giveBack(replica));
    }

    private static void send(Router router, int replica, int slots) {
        Link link = router.newest();
        if (slots == 0) return;
        if (link == null) throw new IllegalStateException("gave back without a stream");
        link.toOwner.add(new Message.Returned(replica, slots));
    }

    private void gone(Router router, Router.Phase phase) {
        router.phase = phase;
        Arrays.fill(router.admitted, 0);
        for (Link each : router.links) each.toRouter.clear();
    }

    private void finish(Router router, int i) {
        if (router.ghosts[i] > 0) router.ghosts[i]--;
        else if (router.running[i] > 0) router.running[i]--;
        else if (router.frontOld[i] > 0) router.frontOld[i]--;
        else if (router.front[i] > 0) router.front[i]--;
        else router.socket[i]--;
        if (router.alive() && router.requests(i) < bookOf(router).cell(i).used()) released(router, i);
    }

    private static void move(int[] from, int[] to, int at) {
        from[at]--;
        to[at]++;
    }

    private void claim(int o) {
        Owner owner = owner(o);
        if (!rules.has(Rule.OWN_CLAIM) && o == 2 && claims.getLast() == 0) {
            // Taken for its own: it bears the same name.
            owner.begin(claims.size(), rules);
            return;
        }
        claims = new ArrayList<>(claims);
        claims.add(o);
        owner.begin(claims.size(), rules);
        if (rules.has(Rule.CLAIM_THEN_READ)) return;
        readPolicy(owner);
        ownerBook(o).factsRead();
        owner.phase = 2;
    }

    private void readPolicy(Owner owner) {
        OwnerBook book = owner.book;
        if (book == null) return;
        for (int i = 0; i < limits.length; i++) book.limit(i, limits[i], bounds.limit());
        book.draining(0, draining);
    }

    private void readRouters(Owner owner, boolean compacted) {
        for (; owner.routersRead < registrations.size(); owner.routersRead++) {
            if (compacted && hidden(owner.routersRead) || replaced(owner.routersRead, this.compacted)) continue;
            read(owner, registrations.get(owner.routersRead));
        }
    }

    /** Kept by name alone, a later record of the name replaces an earlier one. */
    private boolean hidden(int at) {
        if (rules.has(Rule.KEEP_EACH_INCARNATION)) return false;
        int name = registrations.get(at).router() % bounds.names();
        for (int i = at + 1; i < registrations.size(); i++) {
            if (registrations.get(i).router() % bounds.names() == name) return true;
        }
        return false;
    }

    /**
     * Each fact has a key of its own, but what settled a holder has one for all owners: the record of another epoch takes the place
     * of what was said before.
     */
    private boolean replaced(int at, int end) {
        Registration record = registrations.get(at);
        if (record.what() != Registration.What.SETTLED) return false;
        for (int i = at + 1; i < end; i++) {
            Registration later = registrations.get(i);
            if (later.what() == record.what() && later.router() == record.router() && later.epoch() != record.epoch()) {
                return true;
            }
        }
        return false;
    }

    boolean wouldCompact() {
        for (int i = 0; i < registrations.size(); i++) {
            if (replaced(i, registrations.size()) && !replaced(i, compacted)) return true;
        }
        return false;
    }

    private void read(Owner owner, Registration record) {
        OwnerBook book = owner.book;
        if (book == null) return;
        Router router = routers[record.router()];
        switch (record.what()) {
            case REGISTERED -> {
                book.registered(router.id);
                // Whoever holds the same lock proves that the one before is dead.
                int before = record.router() - bounds.names();
                if (before >= 0) died(owner, book, before);
            }
            case LEFT -> book.deregistered(router.id, record.epoch());
            case DIED -> died(owner, book, record.router());
            case SETTLED -> {
                book.settled(router.id, record.replica(), record.epoch());
                if (book.frozen(router.id, record.replica())) return;
                owner.thaws[record.router() * limits.length + record.replica()] = null;
            }
        }
    }

    private void died(Owner owner, OwnerBook book, int r) {
        book.died(routers[r].id);
        for (int i = 0; i < limits.length; i++) {
            int at = r * limits.length + i;
            if (owner.thaws[at] == null && book.frozen(routers[r].id, i)) owner.thaws[at] = new Thaw(rules);
        }
    }

    private static void hear(OwnerBook book, Router router, Link link) {
        switch (link.toOwner.remove()) {
            case Message.Hello(var sync) -> {
                if (book.sync(sync) != Greeting.WELCOME) link.toOwner.clear();
            }
            case Message.Returned(int replica, int slots) -> book.returned(router.id, link.session, replica, slots);
            case Message.Granted granted -> throw new IllegalStateException("to an owner");
            case Message.Recalled recalled -> throw new IllegalStateException("to an owner");
        }
    }

    /** The stream on which this owner would grant. */
    @Nullable
    Link linkOf(int o, int r, OwnerBook book) {
        long session = book.session(routers[r].id);
        if (session < 0) return null;
        for (Link link : routers[r].links) if (link.owner == o && link.session == session) return link;
        return null;
    }

    private Link link(int o, int r) {
        Link link = linkOf(o, r, ownerBook(o));
        if (link == null) throw new IllegalStateException("no stream");
        return link;
    }

    private void grant(int o, int r, int i) {
        if (!ownerBook(o).grant(routers[r].id, i, 1)) return;
        Link link = link(o, r);
        link.toRouter.add(new Message.Granted(i, 1));
        // On a stream that its router reads no more it is void; what others hold, another owner may have granted under
        // another limit.
        if (link != routers[r].newest()) return;
        int most = ownerBook(o).limit(i);
        int slots = slots(i);
        if (slots > most) granted = slots + " slots of replica " + i + " after a grant under a limit of " + most;
    }

    /** Those that are held, or on their way to one who will take them, or that somebody dead still uses. */
    private int slots(int i) {
        int slots = 0;
        for (Router router : routers) {
            slots += router.alive() ? router.held(i) : router.inFlight(i);
            Link newest = router.newest();
            if (!router.alive() || newest == null) continue;
            for (Message each : newest.toRouter)
                if (each instanceof Message.Granted(int at, int more) && at == i) slots += more;
        }
        return slots;
    }

    private void beginThaw(Owner owner, @Nullable Thaw thaw) {
        OwnerBook book = owner.book;
        if (thaw == null || book == null) throw new IllegalStateException("nothing to thaw");
        if (claims.size() == book.epoch()) thaw.stillHighest(0);
        else owner.phase = 3;
    }

    private void scrape(Owner owner, int i) {
        int active = 0;
        for (int r = 0; r < routers.length; r++) {
            active += routers[r].running[i] + routers[r].ghosts[i];
            // What lives and is not shown would only hold the thaw up.
            if (routers[r].alive() || routers[r].front[i] == 0) continue;
            Router router = router(r);
            router.frontOld[i] += router.front[i];
            router.front[i] = 0;
        }
        for (int r = 0; r < routers.length; r++) {
            Thaw thaw = owner.thaws[r * limits.length + i];
            if (thaw == null || !thaw.scraped(1, 0, active, 0)) continue;
            owner.thaws[r * limits.length + i] = null;
            OwnerBook book = owner.book;
            if (book == null) continue;
            book.settled(routers[r].id, i, book.epoch());
            record(Registration.What.SETTLED, r, i, book.epoch());
        }
    }

    static HolderBook bookOf(Router router) {
        HolderBook book = router.book;
        if (book == null) throw new IllegalStateException("not enrolled");
        return book;
    }

    OwnerBook ownerBook(int o) {
        OwnerBook book = owners[o].book;
        if (book == null) throw new IllegalStateException("not an owner");
        return book;
    }

    /** What is wrong with it, or null. */
    @Nullable
    String violation() {
        if (granted != null) return granted;
        for (int i = 0; i < limits.length; i++) {
            // A lowered limit takes nothing back from what runs.
            int most = bounds.limit();
            int inFlight = 0;
            int rights = 0;
            for (Router router : routers) {
                inFlight += router.inFlight(i);
                rights += router.alive() ? router.held(i) : router.inFlight(i);
            }
            if (inFlight > most) return inFlight + " in flight at replica " + i + ", of a limit of " + most;
            if (rights > most) return rights + " may be in flight at replica " + i + ", of a limit of " + most;
            if (i == 0 && drained && rights > 0) return "replica 0 was said to be drained";
        }
        return null;
    }

    /** Requests in flight above the limit of their replica, at most. */
    int overshoot() {
        int most = 0;
        for (int i = 0; i < limits.length; i++) {
            int inFlight = 0;
            for (Router router : routers) inFlight += router.inFlight(i);
            most = Math.max(most, inFlight - bounds.limit());
        }
        return most;
    }

    void print(Fingerprint out) {
        for (Router router : routers) router.print(out);
        for (Owner owner : owners) owner.print(out);
        for (int owner : claims) out.accept(owner);
        out.accept(-5);
        for (Registration each : registrations) {
            out.accept((int) each.epoch() << 12 | each.what().ordinal() << 8 | each.router() << 4 | each.replica());
        }
        out.accept((draining ? 1 : 0) + (lowered ? 2 : 0) + (drained ? 4 : 0) + (raised ? 8 : 0) + (compacted << 4));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Router router : routers) {
            if (router.phase != Router.Phase.NOT_STARTED)
                text.append("  ").append(router).append('\n');
        }
        for (int o = 0; o < owners.length; o++) {
            OwnerBook book = owners[o].book;
            if (book == null) continue;
            text.append("  o")
                    .append(o)
                    .append(" phase ")
                    .append(owners[o].phase)
                    .append(" epoch ")
                    .append(book.epoch());
            for (int i = 0; i < limits.length; i++) {
                text.append(" ")
                        .append(i)
                        .append(": home ")
                        .append(book.home(i))
                        .append(" grantable ");
                text.append(book.grantable(i));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
