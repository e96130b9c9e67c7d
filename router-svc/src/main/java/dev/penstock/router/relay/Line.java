package dev.penstock.router.relay;

/**
 * How many requests a connection to an engine has carried. Its pool gives it to the next as soon as an answer has been read from
 * the network, which a slow client may not have taken yet: whoever wants to close it must know whether it is still his. One
 * event loop's.
 */
final class Line {
    private int requests;

    /** The number of the request that it carries from here on, from 1. */
    int next() {
        return ++requests;
    }

    boolean carries(int request) {
        return requests == request;
    }
}
