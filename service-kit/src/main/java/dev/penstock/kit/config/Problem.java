package dev.penstock.kit.config;

/** One wrong value: where, what, and what was wanted. */
public record Problem(String path, String value, String expected) {
    @Override
    public String toString() {
        return path + ": " + value + ", expected " + expected;
    }
}
