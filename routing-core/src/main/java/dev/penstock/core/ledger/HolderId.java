package dev.penstock.core.ledger;

import java.util.HexFormat;

/**
 * One incarnation of a process that holds slots: a router, a prober, an external checker.
 *
 * @param nonce drawn at each start, so that a restarted process is another holder than the one it follows
 */
public record HolderId(String name, long nonce) {
    @Override
    public String toString() {
        return name + "/" + HexFormat.of().toHexDigits(nonce);
    }
}
