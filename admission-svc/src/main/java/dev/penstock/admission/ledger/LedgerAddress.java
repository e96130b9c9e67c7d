package dev.penstock.admission.ledger;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where holders reach this process: claims tell them.
 *
 * @param bind where it listens
 * @param port 0 = any free port
 * @param told the host that claims tell
 */
public record LedgerAddress(String bind, int port, String told) {
    /** @param told null = where it listens, and of all of this machine's addresses the one that its name stands for */
    public static LedgerAddress of(String bind, int port, @Nullable String told) {
        String listens = bind.startsWith("[") && bind.endsWith("]") ? bind.substring(1, bind.length() - 1) : bind;
        if (told != null) return new LedgerAddress(listens, port, told);
        return new LedgerAddress(listens, port, isWildcard(listens) ? ownAddress() : listens);
    }

    /** What a claim tells; an IPv6 address in brackets. */
    String toldWith(int listening) {
        boolean bare = told.indexOf(':') >= 0 && !told.startsWith("[");
        return (bare ? "[" + told + "]" : told) + ":" + listening;
    }

    private static boolean isWildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    private static String ownAddress() {
        try {
            return InetAddress.getLocalHost().getHostAddress();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }
}
