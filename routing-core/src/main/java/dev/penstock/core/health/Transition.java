package dev.penstock.core.health;

import dev.penstock.model.Replica;
import dev.penstock.model.Verdict;

/** One change of a verdict. */
public record Transition(Replica replica, Verdict before, Verdict after, String reason) {}
