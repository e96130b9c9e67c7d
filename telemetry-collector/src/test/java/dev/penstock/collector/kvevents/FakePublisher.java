package dev.penstock.collector.kvevents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** An engine's two sockets, and what an engine can get wrong. Publishing happens on the test's thread. */
final class FakePublisher implements AutoCloseable {
    static final int BLOCK_TOKENS = 64;

    private final ZContext zmq = new ZContext();
    private final ZMQ.Socket publish = zmq.createSocket(SocketType.PUB);
    private final List<byte[]> kept = new ArrayList<>();
    private final Thread replays;
    private final String replayAddress;
    private long next;
    private volatile long keptFrom;
    private volatile boolean closed;

    FakePublisher() {
        this("tcp://127.0.0.1:*", "tcp://127.0.0.1:*");
    }

    FakePublisher(String address, String replay) {
        publish.setLinger(0);
        publish.bind(address);
        ZMQ.Socket router = zmq.createSocket(SocketType.ROUTER);
        router.setLinger(0);
        router.bind(replay);
        replayAddress = router.getLastEndpoint();
        replays = Thread.ofPlatform().daemon().start(() -> answer(router));
    }

    String address() {
        return publish.getLastEndpoint();
    }

    String replayAddress() {
        return replayAddress;
    }

    long next() {
        return next;
    }

    /** Blocks of 256 bytes of text; hashes are the engine's. */
    void stored(long parent, long[] hashes, int firstToken) throws IOException {
        publish(keep(message(parent, hashes, firstToken)));
    }

    /** As when a subscriber is too slow: only a replay tells it. */
    void storedUnheard(long parent, long[] hashes, int firstToken) throws IOException {
        keep(message(parent, hashes, firstToken));
    }

    /** Nothing up to here can be told again. */
    void forget() {
        keptFrom = next;
    }

    void raw(byte[]... frames) {
        for (int i = 0; i < frames.length; i++) publish.send(frames[i], i + 1 < frames.length ? ZMQ.SNDMORE : 0);
    }

    private byte[] keep(byte[] payload) {
        synchronized (kept) {
            kept.add(payload);
        }
        next++;
        return payload;
    }

    private void publish(byte[] payload) {
        raw(new byte[0], number(next - 1), payload);
    }

    private static byte[] message(long parent, long[] hashes, int firstToken) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(2)
                    .packDouble(1)
                    .packArrayHeader(1)
                    .packArrayHeader(5)
                    .packString("BlockStored");
            packer.packArrayHeader(hashes.length);
            for (long hash : hashes) packer.packLong(hash);
            if (parent == 0) packer.packNil();
            else packer.packLong(parent);
            packer.packArrayHeader(hashes.length * BLOCK_TOKENS);
            for (int i = 0; i < hashes.length * BLOCK_TOKENS; i++) packer.packInt(firstToken + i);
            packer.packInt(BLOCK_TOKENS);
            return packer.toByteArray();
        }
    }

    /** With a topic frame, as engines have it since 2026. */
    private void answer(ZMQ.Socket router) {
        router.setReceiveTimeOut(20);
        while (!closed) {
            byte[] client = router.recv();
            if (client == null) continue;
            byte[] last = client;
            while (router.hasReceiveMore()) last = router.recv();
            long from = ByteBuffer.wrap(last).getLong();
            List<byte[]> all;
            synchronized (kept) {
                all = List.copyOf(kept);
            }
            for (long i = Math.max(from, keptFrom); i < all.size(); i++) tell(router, client, i, all.get((int) i));
            tell(router, client, -1, new byte[0]);
        }
        router.close();
    }

    private static void tell(ZMQ.Socket router, byte[] client, long number, byte[] payload) {
        router.send(client, ZMQ.SNDMORE);
        router.send(new byte[0], ZMQ.SNDMORE);
        router.send("kv", ZMQ.SNDMORE);
        router.send(number(number), ZMQ.SNDMORE);
        router.send(payload);
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        replays.join();
        zmq.close();
    }
}
