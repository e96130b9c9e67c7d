package dev.penstock.relaybench.rig;

import java.util.Map;

/**
 * What to send, and how.
 *
 * @param port of the contender, on 127.0.0.1
 * @param bodyBytes of one request
 * @param connections in a closed loop all of them busy, in an open one as many as are needed
 * @param ratePerSecond of an open loop, by a schedule that does not wait for answers; 0 is a closed loop
 * @param most requests to send, or 0 for no end
 * @param faultShare of requests that a client abandons, an engine resets or answers with 503, a third each
 */
public record Load(
        int port, int bodyBytes, Answer answer, int connections, int ratePerSecond, int most, double faultShare) {

    static Load of(Map<String, String> words) {
        return new Load(
                Integer.parseInt(words.getOrDefault("port", "")),
                Integer.parseInt(words.getOrDefault("body", "")),
                Answer.of(words.getOrDefault("answer", "")),
                Integer.parseInt(words.getOrDefault("connections", "")),
                Integer.parseInt(words.getOrDefault("rate", "")),
                Integer.parseInt(words.getOrDefault("most", "")),
                Double.parseDouble(words.getOrDefault("faults", "")));
    }

    /** A closed loop without end. */
    public static Load closed(int bodyBytes, Answer answer, int connections) {
        return new Load(0, bodyBytes, answer, connections, 0, 0, 0);
    }

    /** An open loop without end. */
    public static Load open(int bodyBytes, Answer answer, int connections, int ratePerSecond) {
        return new Load(0, bodyBytes, answer, connections, ratePerSecond, 0, 0);
    }

    public Load at(int contender) {
        return new Load(contender, bodyBytes, answer, connections, ratePerSecond, most, faultShare);
    }

    public Load most(int requests) {
        return new Load(port, bodyBytes, answer, connections, ratePerSecond, requests, faultShare);
    }

    public Load faults(double share) {
        return new Load(port, bodyBytes, answer, connections, ratePerSecond, most, share);
    }

    /** The words {@link #of} understands. */
    public String words() {
        return "port=" + port + " body=" + bodyBytes + " answer=" + answer + " connections=" + connections + " rate="
                + ratePerSecond + " most=" + most + " faults=" + faultShare;
    }
}
