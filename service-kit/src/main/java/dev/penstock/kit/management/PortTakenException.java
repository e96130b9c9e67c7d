package dev.penstock.kit.management;

/** A port that was asked for is in use: nothing is started on another one behind the operator's back. */
public final class PortTakenException extends RuntimeException {
    private final int port;
    private final String key;

    public PortTakenException(int port, String key) {
        super("port " + port + " is taken: end the process that listens on it, or set " + key + " to a free port");
        this.port = port;
        this.key = key;
    }

    public int port() {
        return port;
    }

    /** The configuration key that chooses it. */
    public String key() {
        return key;
    }
}
