package dev.penstock.collector.kvevents;

/** A message that is not what engines write; nothing of it is used. */
final class MalformedEventsException extends Exception {
    MalformedEventsException(String message) {
        super(message);
    }

    MalformedEventsException(Throwable cause) {
        super(cause);
    }
}
