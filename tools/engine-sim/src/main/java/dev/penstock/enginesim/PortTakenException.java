package dev.penstock.enginesim;

import java.io.Serial;

/** Somebody else listens on a port that had to be this one. */
public final class PortTakenException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    PortTakenException(String host, int port) {
        super("port " + port + " on " + host + " is taken, choose another one");
    }
}
