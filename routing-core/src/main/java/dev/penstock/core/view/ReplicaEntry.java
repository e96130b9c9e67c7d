package dev.penstock.core.view;

import dev.penstock.model.Replica;

/** A replica of the roster and its numeric cell. */
public record ReplicaEntry(Replica replica, ReplicaCell cell) {}
