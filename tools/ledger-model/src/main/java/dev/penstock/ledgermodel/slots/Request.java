package dev.penstock.ledgermodel.slots;

/** One request, the same under every policy. */
record Request(long arrivalNanos, int router, long serviceNanos) {}
