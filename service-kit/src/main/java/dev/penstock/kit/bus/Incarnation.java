package dev.penstock.kit.bus;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** One life of a process: the name stays over restarts, the nonce does not. */
public record Incarnation(String name, long nonce) {
    public static Incarnation fresh(String name) {
        return new Incarnation(name, ThreadLocalRandom.current().nextLong());
    }

    public String memberId() {
        return name + "/" + HexFormat.of().toHexDigits(nonce);
    }
}
