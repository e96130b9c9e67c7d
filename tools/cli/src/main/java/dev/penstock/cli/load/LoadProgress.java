package dev.penstock.cli.load;

/** A moment of a running load, over both lanes. */
public record LoadProgress(double elapsedSeconds, long sent, long ok, long errors, int outstanding) {}
