package dev.penstock.fleetsim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The links of a run: one for each producer and reader, by their names. */
final class Network {
    private final EventQueue events;
    private final Shape shape;
    private final Streams streams;
    private final Map<String, Link> links = new HashMap<>();

    /**
     * @param vectors from router to router
     * @param frames from collector to router
     */
    record Shape(Link.Quality vectors, Link.Quality frames, List<Disturbance> disturbances) {
        Shape {
            disturbances = List.copyOf(disturbances);
        }

        Shape disturbed(List<Disturbance> by) {
            return new Shape(vectors, frames, by);
        }
    }

    /**
     * Another quality for a time.
     *
     * @param from name of the producer, or {@link #ANY}
     * @param to name of the reader, or {@link #ANY}
     * @param untilNanos first instant after it
     */
    record Disturbance(String from, String to, long atNanos, long untilNanos, Link.Quality quality) {
        static final String ANY = "*";

        boolean lastsAt(long nowNanos) {
            return nowNanos >= atNanos && nowNanos < untilNanos;
        }

        private boolean concerns(String producer, String reader) {
            return (from.equals(ANY) || from.equals(producer)) && (to.equals(ANY) || to.equals(reader));
        }
    }

    Network(EventQueue events, Shape shape, Streams streams) {
        this.events = events;
        this.shape = shape;
        this.streams = streams;
    }

    Link vectors(String fromRouter, String toRouter) {
        return link(fromRouter, toRouter, shape.vectors);
    }

    Link frames(String collector, String toRouter) {
        return link(collector, toRouter, shape.frames);
    }

    private Link link(String from, String to, Link.Quality usual) {
        String name = from + " to " + to;
        return links.computeIfAbsent(name, n -> new Link(events, usual, disturbances(from, to), streams.of(name)));
    }

    private List<Disturbance> disturbances(String from, String to) {
        return shape.disturbances.stream()
                .filter(each -> each.concerns(from, to))
                .toList();
    }
}
