package dev.penstock.enginesim.metrics;

/** A number, or several, that a new process starts from 0. */
interface Resettable {
    void reset();
}
