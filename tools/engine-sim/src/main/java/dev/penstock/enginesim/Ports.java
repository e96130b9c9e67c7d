package dev.penstock.enginesim;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Whether somebody listens on a port of this machine. */
final class Ports {
    private Ports() {}

    /**
     * Asked by binding without listening: with SO_REUSEADDR that fails only on a listener, and not on the remains of
     * old connections. Asking matters even for our own engines, because Vert.x lets servers of one instance share a
     * port silently.
     */
    static boolean taken(String host, int port) {
        // An address that is not this machine's can't be bound at all, and that is another error.
        return !bindable(host, port) && bindable(host, 0);
    }

    private static boolean bindable(String host, int port) {
        try (Socket probe = new Socket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
