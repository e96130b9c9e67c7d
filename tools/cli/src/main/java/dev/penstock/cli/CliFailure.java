package dev.penstock.cli;

/** Ends the command: the message goes to standard error as it is, the code to the caller. */
final class CliFailure extends RuntimeException {
    private final int exitCode;

    private CliFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static CliFailure failed(String message) {
        return new CliFailure(ExitCode.FAILED, message);
    }

    static CliFailure wrongUse(String message) {
        return new CliFailure(ExitCode.WRONG_USE, message);
    }

    static CliFailure environment(String message) {
        return new CliFailure(ExitCode.ENVIRONMENT, message);
    }

    int exitCode() {
        return exitCode;
    }
}
