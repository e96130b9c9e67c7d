package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.core.prefix.PrefixChain;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Everything that a peek says of a body, to be compared. */
record Peeks(
        Peek peek,
        int promptBytes,
        long[] hashes,
        @Nullable String user,
        @Nullable String salt) {
    static final Set<String> SESSION_FIELDS = Set.of("user", "cache_salt");

    static Peek of(String body) {
        return of(body.getBytes(UTF_8)).peek;
    }

    static Peeks of(byte[] body) {
        return of(new BodyPeek(), body, body.length);
    }

    /** In pieces of so many bytes. */
    static Peeks of(BodyPeek scanner, byte[] body, int piece) {
        scanner.start(SESSION_FIELDS);
        for (int at = 0; at < body.length; at += piece) {
            scanner.feed(Buffer.buffer(Arrays.copyOfRange(body, at, Math.min(body.length, at + piece))));
        }
        return end(scanner);
    }

    static Peeks cutAt(BodyPeek scanner, byte[] body, int cut) {
        scanner.start(SESSION_FIELDS);
        scanner.feed(Buffer.buffer(Arrays.copyOfRange(body, 0, cut)));
        scanner.feed(Buffer.buffer(Arrays.copyOfRange(body, cut, body.length)));
        return end(scanner);
    }

    static Peeks cutAnywhere(BodyPeek scanner, byte[] body, int mostPiece, RandomGenerator random) {
        scanner.start(SESSION_FIELDS);
        for (int at = 0; at < body.length; ) {
            int to = Math.min(body.length, at + random.nextInt(mostPiece + 1));
            scanner.feed(Buffer.buffer(Arrays.copyOfRange(body, at, to)));
            at = to;
        }
        return end(scanner);
    }

    private static Peeks end(BodyPeek scanner) {
        Peek peek = scanner.finish();
        BodyFacts facts = scanner.facts();
        // What was read of a body that is refused is nobody's business.
        if (peek instanceof Peek.Invalid) return new Peeks(peek, 0, new long[0], null, null);
        PrefixChain chain = facts.prefixes("m", false);
        long[] hashes = new long[chain.blocks()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = chain.hash(i);
        return new Peeks(peek, facts.promptBytes(), hashes, facts.field("user"), facts.field("cache_salt"));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Peeks peeks && toString().equals(peeks.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return peek + " " + promptBytes + " " + Arrays.toString(hashes) + " " + user + " " + salt;
    }
}
