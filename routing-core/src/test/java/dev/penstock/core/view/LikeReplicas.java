package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;

import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** Replicas of one pool and shard in which nothing differs but who is heard of. */
final class LikeReplicas {
    static final int MISSING = 16;
    static final int FRESH = 32;
    private static final int[] NUMBERS =
            IntStream.rangeClosed(1, 8).map(i -> 16 * i).toArray();

    private final ViewUnderTest view = new ViewUnderTest();
    private final int reading;
    private final int peers;
    private long sequence;
    private long now;

    LikeReplicas(int reading, int peers) {
        this.reading = reading;
        this.peers = peers;
        for (int number : NUMBERS) view.join(number);
    }

    /** To each. */
    void send(int requests) {
        for (int number : NUMBERS) {
            for (int i = 0; i < requests; i++) view.send(number);
        }
    }

    /** One frame with all of them, and one to let the first be believed. */
    void tellAll() {
        tell(NUMBERS);
        tell(NUMBERS);
    }

    /** One of them is not heard of for so long, the others are all the while. */
    void silence(int millis) {
        int[] heard = Arrays.stream(NUMBERS).filter(number -> number != MISSING).toArray();
        now += millis * MS - 100 * MS;
        tell(heard);
        tell(heard);
    }

    private void tell(int[] numbers) {
        now += 50 * MS;
        List<Sample> samples = new ArrayList<>();
        for (int number : numbers) {
            samples.add(new Sample(number, reading, reading / 2, 20_000 * reading, 1, 0, 0, 50, 0));
        }
        Header header = new Header("collector-0", 5, sequence++, Header.NO_EPOCH, now);
        view.apply(new TelemetryFrame(header, 0, true, new BitSet(), 0, samples), now);
        int[] counts = new int[NUMBERS.length];
        Arrays.fill(counts, peers);
        Header peer = new Header("router-1", 6, sequence, Header.NO_EPOCH, now);
        view.apply(new InflightVector(peer, 1, true, NUMBERS, counts, List.of()), now);
        view.upkeep(now);
    }

    Freshness freshness(int number) {
        return view.freshness(number, now);
    }

    long loadMilli(int number) {
        return view.loadMilli(number, now);
    }
}
