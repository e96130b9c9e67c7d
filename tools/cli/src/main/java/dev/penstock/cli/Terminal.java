package dev.penstock.cli;

import java.io.InputStream;
import java.io.PrintStream;

/** Where a command reads and writes: results to {@code out}, everything else to {@code err}. */
record Terminal(InputStream in, PrintStream out, PrintStream err, boolean interactive) {
    /** Progress bars and colours are for terminals: {@code isTerminal} wants both input and output to be one. */
    static Terminal system() {
        return new Terminal(
                System.in,
                System.out,
                System.err,
                System.console() != null && System.console().isTerminal());
    }
}
