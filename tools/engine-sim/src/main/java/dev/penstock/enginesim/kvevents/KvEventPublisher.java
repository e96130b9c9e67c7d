package dev.penstock.enginesim.kvevents;

import dev.penstock.enginesim.step.BlockHashes;
import dev.penstock.enginesim.step.KvListener;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.ZError;

/**
 * One engine's KV events. A message has three frames: the topic (empty), its number as 8 bytes from 0 on, the payload. Who
 * missed some sends an empty frame and a first number to the replay port, and gets what is still kept of them, then the
 * number -1.
 *
 * <p>Used on the engine's event loop only: publishing never blocks, and the replay port is looked at each 5 ms.
 */
public final class KvEventPublisher implements KvListener {
    private static final int HIGH_WATER_MARK = 100_000;
    private static final int REPLAY_MILLIS = 5;
    /** A connection that says nothing is closed, and made again by the other side. */
    private static final int HANDSHAKE_MILLIS = 1_000;

    private static final int REBIND_MILLIS = 10;
    private static final int REBINDS = 500;
    private static final byte[] EMPTY = {};
    private static final byte[] END = number(-1);

    private final Vertx vertx;
    private final ZContext zmq;
    private final String host;
    private final KvEventOptions options;
    private final KvEventWriter writer;
    private final boolean together;
    private final KvEventBatch batch = new KvEventBatch();
    private final Deque<byte[]> kept = new ArrayDeque<>();
    private volatile int port;
    private volatile int replayPort;
    private long next;
    private boolean flushing;
    private long timer;

    private ZMQ.@Nullable Socket publish;
    private ZMQ.@Nullable Socket replay;

    /** @param sglang writes as SGLang does */
    public KvEventPublisher(
            Vertx vertx, ZContext zmq, String host, int number, KvEventOptions options, boolean sglang) {
        this.vertx = vertx;
        this.zmq = zmq;
        this.host = host;
        this.options = options;
        this.writer = new KvEventWriter(options, sglang);
        this.together = !sglang;
        this.port = options.portBase() == 0 ? 0 : options.portBase() + 2 * number;
        this.replayPort = options.portBase() == 0 ? 0 : port + 1;
    }

    /** {@code tcp://host:port}. Any thread. */
    public String endpoint() {
        return "tcp://" + host + ":" + port;
    }

    /** Where messages are told again. Any thread. */
    public String replayEndpoint() {
        return "tcp://" + host + ":" + replayPort;
    }

    /** Opens both ports, the same ones as before; a socket that was closed frees its port a little later. */
    public Future<Void> open() {
        Promise<Void> opened = Promise.promise();
        bind(REBINDS, opened);
        return opened.future();
    }

    /** What was not sent is lost. */
    public void close() {
        if (publish == null || replay == null) return;
        vertx.cancelTimer(timer);
        publish.close();
        replay.close();
        publish = null;
        replay = null;
        kept.clear();
        batch.clear();
    }

    /** A new process: numbers from 0, nothing kept. */
    public void restart() {
        close();
        batch.clear();
        open();
    }

    @Override
    public void stored(BlockHashes prompt, int block) {
        batch.stored(prompt, block, together);
        flushSoon();
    }

    @Override
    public void removed(long hash) {
        batch.removed(hash);
        flushSoon();
    }

    @Override
    public void cleared() {
        batch.cleared();
        flushSoon();
    }

    /** One message for what happens at once, as an engine sends one per step. */
    private void flushSoon() {
        if (flushing) return;
        flushing = true;
        vertx.runOnContext(_ -> {
            flushing = false;
            flush();
        });
    }

    private void flush() {
        ZMQ.Socket socket = publish;
        if (socket != null && !batch.isEmpty()) {
            byte[] payload = writer.write(System.currentTimeMillis() / 1e3, batch.changes());
            send(socket, next, payload);
            next++;
            kept.add(payload);
            if (kept.size() > options.replaySteps()) kept.remove();
        }
        batch.clear();
    }

    private void send(ZMQ.Socket socket, long number, byte[] payload) {
        socket.send(EMPTY, ZMQ.SNDMORE | ZMQ.DONTWAIT);
        socket.send(number(number), ZMQ.SNDMORE | ZMQ.DONTWAIT);
        socket.send(payload, ZMQ.DONTWAIT);
    }

    private void bind(int attempts, Promise<Void> opened) {
        ZMQ.Socket pub = zmq.createSocket(SocketType.PUB);
        ZMQ.Socket router = zmq.createSocket(SocketType.ROUTER);
        try {
            port = bind(pub, port);
            replayPort = bind(router, replayPort);
        } catch (ZMQException e) {
            pub.close();
            router.close();
            if (e.getErrorCode() == ZError.EADDRINUSE && attempts > 0) {
                vertx.setTimer(REBIND_MILLIS, _ -> bind(attempts - 1, opened));
            } else {
                opened.fail(new IllegalStateException(
                        "KV events: ports " + port + " and " + replayPort + " can't be bound: " + e.getMessage(), e));
            }
            return;
        }
        publish = pub;
        replay = router;
        next = 0;
        timer = vertx.setPeriodic(REPLAY_MILLIS, _ -> answerReplays());
        opened.complete();
    }

    private int bind(ZMQ.Socket socket, int wanted) {
        socket.setLinger(0);
        socket.setSndHWM(HIGH_WATER_MARK);
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.bind("tcp://" + host + ":" + (wanted == 0 ? "*" : String.valueOf(wanted)));
        String bound = socket.getLastEndpoint();
        return Integer.parseInt(bound.substring(bound.lastIndexOf(':') + 1));
    }

    private void answerReplays() {
        ZMQ.Socket socket = replay;
        if (socket == null) return;
        for (byte[] client = socket.recv(ZMQ.DONTWAIT); client != null; client = socket.recv(ZMQ.DONTWAIT)) {
            byte[] last = client;
            while (socket.hasReceiveMore()) last = socket.recv(ZMQ.DONTWAIT);
            if (last == null || last.length != Long.BYTES) continue;
            answer(socket, client, ByteBuffer.wrap(last).getLong());
        }
    }

    private void answer(ZMQ.Socket socket, byte[] client, long from) {
        long number = next - kept.size();
        for (byte[] payload : kept) {
            if (number >= from) tell(socket, client, number(number), payload);
            number++;
        }
        tell(socket, client, END, EMPTY);
    }

    private static void tell(ZMQ.Socket socket, byte[] client, byte[] number, byte[] payload) {
        socket.send(client, ZMQ.SNDMORE | ZMQ.DONTWAIT);
        socket.send(EMPTY, ZMQ.SNDMORE | ZMQ.DONTWAIT);
        socket.send(number, ZMQ.SNDMORE | ZMQ.DONTWAIT);
        socket.send(payload, ZMQ.DONTWAIT);
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
