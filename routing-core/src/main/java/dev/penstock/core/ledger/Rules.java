package dev.penstock.core.ledger;

import java.util.EnumSet;
import java.util.Set;

/** The rules in force. Only a proof that a rule is needed takes one out. */
public final class Rules {
    public static final Rules ALL = new Rules(EnumSet.allOf(Rule.class));

    private final Set<Rule> rules;

    private Rules(Set<Rule> rules) {
        this.rules = rules;
    }

    public static Rules without(Rule rule) {
        return new Rules(EnumSet.complementOf(EnumSet.of(rule)));
    }

    public boolean has(Rule rule) {
        return rules.contains(rule);
    }
}
