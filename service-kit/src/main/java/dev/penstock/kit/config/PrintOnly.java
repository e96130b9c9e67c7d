package dev.penstock.kit.config;

/** Ends a start that was only meant to print the configuration: thrown where everything has been read. */
public final class PrintOnly extends RuntimeException {
    PrintOnly() {
        super("the configuration was read to be printed", null, false, false);
    }
}
