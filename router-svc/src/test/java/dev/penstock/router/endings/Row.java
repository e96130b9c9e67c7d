package dev.penstock.router.endings;

import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One ending in one phase.
 *
 * @param with what tells it from others of its phase and cause
 * @param sight what the client sees
 * @param outcomes of all attempts, connects that failed among them
 * @param demand how the request is booked; empty where it was never asked for
 * @param engine what becomes of the connection to the engine
 */
record Row(
        Phase phase,
        Cause cause,
        String with,
        Contract contract,
        Asking asking,
        Staging staging,
        Client client,
        Sight sight,
        Map<String, Long> outcomes,
        String demand,
        Line engine) {
    static final Duration SOON = Duration.ofSeconds(15);

    /** Puts engines on stage. */
    interface Staging {
        void set(Stage stage);
    }

    /** What a client does once it has asked. */
    interface Client {
        Received act(RawClient client, Stage stage) throws Exception;
    }

    /** What becomes of a connection to an engine. */
    enum Line {
        CLOSED,
        /** It carries the client's next request. */
        REUSED,
        /** Whatever is right for an engine that is gone or was never there. */
        ANY
    }

    static Row row(Phase phase, Cause cause, String with) {
        return new Row(
                phase,
                cause,
                with,
                Contract.PATIENT,
                Asking.STREAM,
                stage -> {},
                (client, stage) -> client.received(),
                new Sight.Gone(),
                Map.of(),
                "",
                Line.ANY);
    }

    Row under(Contract next) {
        return new Row(phase, cause, with, next, asking, staging, client, sight, outcomes, demand, engine);
    }

    Row asking(Asking next) {
        return new Row(phase, cause, with, contract, next, staging, client, sight, outcomes, demand, engine);
    }

    Row at(Staging next) {
        return new Row(phase, cause, with, contract, asking, next, client, sight, outcomes, demand, engine);
    }

    Row acts(Client next) {
        return new Row(phase, cause, with, contract, asking, staging, next, sight, outcomes, demand, engine);
    }

    Row sight(Sight next) {
        return new Row(phase, cause, with, contract, asking, staging, client, next, outcomes, demand, engine);
    }

    /** Waits for what it must see. */
    Row sees(Sight next) {
        Client watching = (client, stage) -> next.ends() ? client.awaitEnd(SOON) : client.awaitAnswers(1, SOON);
        return new Row(phase, cause, with, contract, asking, staging, watching, next, outcomes, demand, engine);
    }

    /** Names of outcomes, one per attempt. */
    Row books(String demandEnding, String... attempts) {
        Map<String, Long> counts = new TreeMap<>();
        for (String each : attempts) counts.merge(each, 1L, Long::sum);
        return new Row(
                phase, cause, with, contract, asking, staging, client, sight, Map.copyOf(counts), demandEnding, engine);
    }

    Row leaves(Line next) {
        return new Row(phase, cause, with, contract, asking, staging, client, sight, outcomes, demand, next);
    }

    /** With the second request of a row that tries the connection again. */
    Map<String, Long> allOutcomes() {
        Map<String, Long> all = new TreeMap<>(outcomes);
        if (engine == Line.REUSED) all.merge("ok", 1L, Long::sum);
        return all;
    }

    /** Attempts that were decided. */
    long attempts() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        String name = phase + " x " + cause + (with.isEmpty() ? "" : ", " + with);
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
