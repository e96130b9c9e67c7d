package dev.penstock.cli;

/** What the process exits with. */
final class ExitCode {
    static final int OK = 0;
    /** Failed as asked: errors in a load, a fault that could not be set. */
    static final int FAILED = 1;

    static final int WRONG_USE = 2;
    /** Port taken, no JDK, not running. */
    static final int ENVIRONMENT = 3;

    private ExitCode() {}
}
