package dev.penstock.router.endings;

/** A model's limits: one is short where a row is about it, all others are far longer than a row takes. */
enum Contract {
    PATIENT("stream: {firstByte: 20s, idle: 20s}"),
    FIRST_BYTE("stream: {firstByte: 300ms, idle: 20s}"),
    IDLE("stream: {firstByte: 20s, idle: 600ms}"),
    SLOW("stream: {firstByte: 20s, idle: 2s}"),
    DEADLINE("stream: {firstByte: 20s, idle: 20s}, deadline: 400ms"),
    EARLY("stream: {firstByte: 20s, idle: 20s, commitAfter: 200ms}");

    private final String yaml;

    Contract(String yaml) {
        this.yaml = yaml;
    }

    /** One of the {@code models} of a configuration. */
    String model(String name) {
        return "  - {name: " + name + ", retry: {budget: 100%}, " + yaml + "}\n";
    }
}
