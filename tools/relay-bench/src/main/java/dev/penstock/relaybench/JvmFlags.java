package dev.penstock.relaybench;

import java.util.List;

/**
 * The same for both JVM contenders, and as in the image: heap of one size from the start, touched, and a named collector.
 * With one core a JVM takes the serial collector without a word.
 */
enum JvmFlags {
    G1("-XX:+UseG1GC"),
    ZGC("-XX:+UseZGC");

    /** What the image gives a router in a container of 1 GiB. */
    static final String HEAP = "614m";

    private final String collector;

    JvmFlags(String collector) {
        this.collector = collector;
    }

    List<String> flags() {
        return List.of(
                collector,
                "-Xms" + HEAP,
                "-Xmx" + HEAP,
                "-XX:+AlwaysPreTouch",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+UseTransparentHugePages",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dlogback.configurationFile=dev/penstock/kit/logback-json.xml");
    }
}
