package dev.penstock.router.relay;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.trace.TraceKeys;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Outcome;
import dev.penstock.model.Replica;
import dev.penstock.model.Verdict;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.stream.Framing;
import dev.penstock.router.stream.Notes;
import dev.penstock.router.trace.AttemptTrace;
import dev.penstock.router.trace.RequestTrace;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at one replica. The slot that was taken for it is given back exactly once: {@link #settle} is the one place
 * where an attempt ends, whatever ended it.
 */
final class Attempt {
    private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** A replica that health-svc knows to be dead, and that is silent this long, will not answer any more. */
    private static final long DEAD_SILENT_NANOS = 5_000_000_000L;

    final Exchange exchange;
    final Upstreams upstreams;
    private final ReplicaEntry replica;
    private final ReplicaCell cell;
    private final int number;
    private final boolean fresh;
    private final @Nullable AttemptTrace trace;
    private @Nullable HttpClientRequest request;
    private @Nullable Answer answer;
    private @Nullable ErrorAnswer error;
    private @Nullable Line line;
    private int onLine;
    private boolean closesSoon;
    private boolean answered;
    /** All of the answer came. */
    private boolean whole;

    private boolean paused;

    private boolean settled;
    /** Settled while its engine may run on. */
    private boolean lingers;

    private boolean givenBack;
    private boolean opened;
    /** What its stream was opened with: the body it is guessed from may be gone before the stream is. */
    private long promptTokens;

    private int status;
    private long sentNanos;
    /** When it was seen first that the whole body is with the engine, 0 before. */
    private long uploadedNanos;

    private long firstByteNanos;
    private long lastByteNanos;

    /**
     * @param replica where a slot was taken: it is this attempt's from here on
     * @param number of the attempt, from 1
     * @param fresh on a connection of its own
     */
    Attempt(Exchange exchange, Upstreams upstreams, ReplicaEntry replica, int number, boolean fresh) {
        this.exchange = exchange;
        this.upstreams = upstreams;
        this.replica = replica;
        this.cell = replica.cell();
        this.number = number;
        this.fresh = fresh;
        RequestTrace traced = exchange.asked().trace();
        this.trace = traced == null ? null : traced.attempt(replica.replica().name(), number);
    }

    void start() {
        upstreams
                .connect(replica.replica().endpoint(), exchange.asked().uri(), fresh)
                .onComplete(this::connected, this::connectFailed);
    }

    private void connectFailed(Throwable cause) {
        if (!settled) {
            release();
            if (trace != null) trace.unanswered(TraceKeys.CONNECT_FAILURE);
            upstreams.outcomes.connectFailed(replica, cause, upstreams.nanoClock.getAsLong());
        }
        if (exchange.over() || exchange.triedElsewhere(Exchange.Failure.CONNECT)) return;
        exchange.ended(DemandLedger.Ending.FAILED);
        exchange.toClient().refuse(ApiError.unreachable(exchange.asked().model()));
    }

    private void connected(HttpClientRequest out) {
        if (exchange.over()) {
            // Unheard, it would be a line in the log.
            out.exceptionHandler(reset -> {});
            out.reset();
            settle(exchange.outcomeOr(Outcome.CLIENT_ABORT), true);
            return;
        }
        try {
            send(out);
        } catch (RuntimeException bug) {
            // What Vert.x refuses to send must end here, and is nobody's fault at the other end.
            LOG.atError()
                    .setCause(bug)
                    .addKeyValue(LogKeys.REQUEST, exchange.asked().id())
                    .log("request could not be sent");
            exchange.giveUp(Outcome.CLIENT_ERROR, ApiError.internal());
        }
    }

    private void send(HttpClientRequest out) {
        request = out;
        line = upstreams.line(out.connection());
        onLine = line.next();
        ForwardedHeaders.toEngine(exchange.asked().client().headers(), out.headers());
        // What is compressed can't be rewritten.
        if (exchange.asked().endpoint().givesIds()) out.headers().remove(RelayHeaders.ACCEPT_ENCODING);
        Cargo.UpstreamId id = new Cargo.UpstreamId(exchange.asked().id() + "-a" + number, stopsByName());
        out.headers().set(RelayHeaders.REQUEST_ID, id.text());
        if (trace != null) trace.inject(out.headers());
        sentNanos = upstreams.nanoClock.getAsLong();
        lastByteNanos = sentNanos;
        // An engine is silent while a body comes: that is no silent stream.
        if (exchange.asked().stream() && !exchange.cargo().coming()) {
            opened = true;
            promptTokens = exchange.promptTokens();
            cell.streams().opened(promptTokens, sentNanos);
        }
        out.exceptionHandler(this::broken);
        exchange.cargo().send(out, id).onComplete(this::answered, this::broken);
    }

    /** SGLang's disconnected streams may go on to their last token: it also stops a request by its name. */
    private boolean stopsByName() {
        return replica.replica().engine() == EngineKind.SGLANG
                && exchange.asked().endpoint().framing() == Framing.CHAT;
    }

    private void broken(Throwable cause) {
        if (settled) return;
        if (answered) brokenOff();
        else failedBeforeAnswer();
    }

    private void failedBeforeAnswer() {
        // Only one that carried a request before may have been closed because it was idle.
        if (onLine > 1 && exchange.cargo().replayable()) {
            // Says nothing of the replica's health: engines close idle connections.
            settled = true;
            closeStream();
            cell.endedNeutrally();
            if (trace != null) trace.unanswered(TraceKeys.CONNECTION_RESET);
            // The next attempt goes on in this one's slot: given back, it might be gone.
            givenBack = exchange.triedAgain(replica);
            if (givenBack) return;
            giveBack();
            upstreams.outcomes.ended(replica, Outcome.REPLICA_ERROR, upstreams.nanoClock.getAsLong(), -1, 0, 0);
        } else {
            settle(Outcome.REPLICA_ERROR, true);
            if (exchange.triedElsewhere(Exchange.Failure.RESET)) return;
        }
        exchange.ended(DemandLedger.Ending.FAILED);
        exchange.toClient().refuse(ApiError.upstreamFailed());
    }

    private void answered(HttpClientResponse response) {
        answered = true;
        heard();
        status = response.statusCode();
        if (settled) {
            dropped(response);
            return;
        }
        // A connection whose first answer said so is not used again: later answers need not be asked.
        closesSoon = onLine == 1 && closesSoon(response);
        if (status >= 400) {
            error = new ErrorAnswer(this, response);
            error.begin();
        } else {
            answer = Answer.of(this, response);
            answer.begin();
        }
    }

    /** Nobody waits for it any more: its end says that the engine has stopped. */
    private void dropped(HttpClientResponse response) {
        response.handler(chunk -> {});
        response.exceptionHandler(gone -> {});
        response.endHandler(end -> overheard());
    }

    /** An answer that nobody waits for is whole. Its connection, half closed, is of no use to its pool. */
    void overheard() {
        if (lingers && request != null && ownsConnection()) request.connection().close();
    }

    private boolean ownsConnection() {
        return line != null && line.carries(onLine);
    }

    /** All of the answer came: the engine has stopped, and its connection may carry others by now. */
    void whole() {
        whole = true;
        resumeEngine();
    }

    /** The client is slow: nothing more is read from the engine. */
    void pauseEngine() {
        HttpClientRequest out = request;
        if (paused || whole || out == null) return;
        paused = true;
        Wire.read(out.connection(), false);
    }

    /** Of this attempt's own pause only: its connection may carry others once the answer is whole. */
    void resumeEngine() {
        HttpClientRequest out = request;
        if (!paused || out == null) return;
        paused = false;
        Wire.read(out.connection(), true);
    }

    /** An engine that names a time shorter than ours closes before we would: its connection is not used again. */
    private static boolean closesSoon(HttpClientResponse response) {
        String named = response.headers().get(KEEP_ALIVE);
        if (named == null) return false;
        int at = named.indexOf("timeout=");
        if (at < 0) return false;
        int digits = at + "timeout=".length();
        boolean oneDigit =
                digits + 1 == named.length() || digits + 1 < named.length() && named.charAt(digits + 1) == ',';
        return oneDigit && named.charAt(digits) <= '0' + Upstreams.IDLE_SECONDS;
    }

    /** The engine's connection broke after its answer had begun: the client must be able to tell. */
    void brokenOff() {
        if (settled || endedWhole()) return;
        settle(Outcome.REPLICA_ERROR, true);
        exchange.ended(DemandLedger.Ending.FAILED);
        exchange.toClient().fail(ApiError.streamFailed(), separator());
    }

    /** Ends an answer that has said everything and lacks nothing but its framing's end; true when it was such a one. */
    boolean endedWhole() {
        if (settled || answer == null || !answer.saidAll()) return false;
        stop(Outcome.OK);
        exchange.ended(Outcome.OK);
        exchange.toClient().end(null, null);
        return true;
    }

    /** Bytes came from the engine. */
    void heard() {
        long now = upstreams.nanoClock.getAsLong();
        lastByteNanos = now;
        cell.streams().heardFrom(now);
    }

    /** The first bytes of the answer's body came. */
    void firstByte() {
        firstByteNanos = lastByteNanos;
        if (opened) cell.streams().promptDone(promptTokens);
        if (trace != null) trace.firstByte();
    }

    boolean hasFirstByte() {
        return firstByteNanos != 0;
    }

    /** The engine says that it is full; true when somebody else is asked instead. */
    boolean failedOver(int refusedWith) {
        Exchange.Failure failure =
                switch (refusedWith) {
                    case 429, 503, 529 -> Exchange.Failure.FULL;
                    case 500 -> Exchange.Failure.STATUS_500;
                    case 502 -> Exchange.Failure.STATUS_502;
                    case 504 -> Exchange.Failure.STATUS_504;
                    default -> null;
                };
        return failure != null && exchange.triedElsewhere(failure);
    }

    /** The answer ended; what it said is in the notes. */
    void ended(Outcome outcome, @Nullable Notes notes) {
        settle(outcome, true, notes);
        exchange.ended(outcome);
    }

    /** What must come before an event of our own in the answer. */
    String separator() {
        return answer == null ? "" : answer.separator();
    }

    /**
     * Nobody waits for this attempt any more, and the engine is told so: closing its connection is the only signal that
     * HTTP/1.1 has.
     */
    void stop(Outcome outcome) {
        if (settled) return;
        HttpClientRequest out = request;
        if (out == null) {
            // Still connecting: no engine has anything of it. What comes of it is booked when it comes.
            giveBack();
            return;
        }
        if (answer != null) answer.discard();
        if (error != null) error.discard();
        boolean came = whole || !ownsConnection() || Wire.isIdle(out.connection());
        boolean runs = !came && exchange.cargo().sent();
        settle(outcome, !runs, answer == null ? null : answer.notes());
        if (!runs) return;
        lingers = true;
        upstreams.lingering.add(replica, out.connection(), upstreams.nanoClock.getAsLong());
        if (stopsByName())
            upstreams.abortByName(replica.replica().endpoint(), exchange.asked().id() + "-a" + number);
    }

    void look(long nowNanos) {
        if (settled || request == null) return;
        // Its time begins when it has all that the client will send.
        if (exchange.cargo().coming()) sentNanos = nowNanos;
        if (!answered && !exchange.cargo().sent()) {
            // Nobody can answer what it was not sent yet.
            if (nowNanos - sentNanos > exchange.policy().idleMillis() * NANOS_PER_MILLI) {
                exchange.giveUp(Outcome.STALLED, ApiError.upstreamTimeout());
            } else if (uploadedNanos == 0) lastByteNanos = nowNanos;
            return;
        }
        if (uploadedNanos == 0) uploadedNanos = nowNanos;
        long silentNanos = nowNanos - lastByteNanos;
        boolean dead = silentNanos > DEAD_SILENT_NANOS
                && cell.health().at(nowNanos) instanceof Verdict.Ejected ejected
                && ejected.severity() == Verdict.Severity.HARD;
        if (!answered || firstByteNanos == 0) {
            long limit = exchange.policy().firstByteMillis() * NANOS_PER_MILLI;
            if (dead
                    || limit > 0
                            && nowNanos - Math.max(sentNanos, uploadedNanos - Watch.MILLIS * NANOS_PER_MILLI) > limit) {
                exchange.giveUp(Outcome.STALLED, ApiError.upstreamTimeout());
            }
            return;
        }
        if (exchange.toClient().waits()) return;
        Answer running = answer;
        if (dead || silentNanos > exchange.policy().idleMillis() * NANOS_PER_MILLI) {
            if (running == null) exchange.giveUp(Outcome.STALLED, ApiError.upstreamTimeout());
            else running.silent();
        }
    }

    boolean settled() {
        return settled;
    }

    Replica replica() {
        return replica.replica();
    }

    String replicaName() {
        return replica.replica().name();
    }

    void settle(Outcome outcome, boolean engineStopped) {
        settle(outcome, engineStopped, null);
    }

    /**
     * The one end of an attempt.
     *
     * @param engineStopped the engine is known to work on it no more; else its place stays in use until that is known
     */
    private void settle(Outcome outcome, boolean engineStopped, @Nullable Notes notes) {
        if (settled) return;
        if (engineStopped) release();
        else {
            settled = true;
            closeStream();
        }
        letGo();
        long now = upstreams.nanoClock.getAsLong();
        long started = exchange.startedNanos();
        boolean timed = answer != null && answer.eventStream() && firstByteNanos != 0;
        long events = notes == null ? 0 : notes.events();
        if (notes != null) upstreams.relayCounters.used(notes);
        if (trace != null) {
            trace.ended(
                    outcome,
                    status,
                    notes == null ? -1 : notes.promptTokens(),
                    notes == null ? -1 : notes.completionTokens());
        }
        upstreams.outcomes.ended(replica, outcome, now, timed ? firstByteNanos - started : -1, now - started, events);
    }

    private void letGo() {
        HttpClientRequest out = request;
        if (out == null) return;
        // An engine that answered in the middle of a body still waits for the rest, which does not come.
        if (!exchange.cargo().sent()) Wire.cut(out.connection());
        else if (whole && closesSoon && ownsConnection()) out.connection().close();
    }

    private void release() {
        settled = true;
        giveBack();
        closeStream();
    }

    private void giveBack() {
        if (givenBack) return;
        givenBack = true;
        cell.release();
    }

    private void closeStream() {
        if (!opened) return;
        opened = false;
        if (firstByteNanos == 0) cell.streams().promptDone(promptTokens);
        cell.streams().closed();
    }
}
