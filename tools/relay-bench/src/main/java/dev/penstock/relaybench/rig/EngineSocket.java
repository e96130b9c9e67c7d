package dev.penstock.relaybench.rig;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection from a contender: reads requests to their end, and answers as the rig's load says. */
final class EngineSocket implements Socket {
    private static final int RESET_AFTER_CHUNKS = 10;
    private static final int RECEIVE_BYTES = 1 << 20;

    private final Rig rig;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final MessageReader reader = new MessageReader();
    private @Nullable ByteBuffer unsent;
    private int client = -1;
    private int nextChunk = Replies.CHUNKS;
    private int resetAt = Replies.CHUNKS;
    long dueNanos;

    EngineSocket(Rig rig, Selector selector, SocketChannel accepted) throws IOException {
        this.rig = rig;
        this.channel = accepted;
        accepted.configureBlocking(false);
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        accepted.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
        key = accepted.register(selector, SelectionKey.OP_READ, this);
    }

    @Override
    public void ready() {
        try {
            if (key.isValid() && key.isWritable()) flush();
            if (key.isValid() && key.isReadable()) read();
        } catch (IOException gone) {
            close();
        }
    }

    private void read() throws IOException {
        ByteBuffer scratch = rig.scratch.clear();
        int count = channel.read(scratch);
        if (count < 0) {
            close();
            return;
        }
        if (count > 0 && reader.feed(scratch.flip())) {
            answer();
            reader.clear();
        }
    }

    private void answer() throws IOException {
        Load load = rig.load();
        double draw = load == null || load.faultShare() == 0 ? 1 : rig.draw();
        double share = load == null ? 0 : load.faultShare() / 3;
        boolean stream = load != null && load.answer() != Answer.JSON && Bodies.streams(reader.start, reader.kept());
        if (draw < share) write(rig.replies.busy);
        else if (!stream) {
            if (draw < 2 * share) reset();
            else write(rig.replies.json);
        } else {
            resetAt = draw < 2 * share ? RESET_AFTER_CHUNKS : Replies.CHUNKS;
            client = Bodies.client(reader.start, reader.kept());
            nextChunk = 0;
            write(rig.replies.streamHead);
            rig.streamBegan(this, client);
        }
    }

    /** True while there is more to write. */
    boolean writeChunk() {
        if (nextChunk >= Replies.CHUNKS || !channel.isOpen()) return false;
        try {
            if (nextChunk == resetAt) {
                reset();
                return false;
            }
            write(rig.replies.chunks[nextChunk++]);
        } catch (IOException gone) {
            close();
            return false;
        }
        return nextChunk < Replies.CHUNKS;
    }

    private void write(ByteBuffer reply) throws IOException {
        ByteBuffer waiting = unsent;
        if (waiting != null) {
            unsent = ByteBuffer.allocate(waiting.remaining() + reply.remaining())
                    .put(waiting)
                    .put(reply.duplicate())
                    .flip();
            return;
        }
        int position = reply.position();
        channel.write(reply);
        if (reply.hasRemaining()) {
            unsent = reply.slice();
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
        reply.position(position);
    }

    private void flush() throws IOException {
        ByteBuffer waiting = unsent;
        if (waiting != null) {
            channel.write(waiting);
            if (waiting.hasRemaining()) return;
        }
        unsent = null;
        key.interestOps(SelectionKey.OP_READ);
    }

    /** As an engine that crashes: RST, not FIN. */
    private void reset() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        close();
    }

    private void close() {
        nextChunk = Replies.CHUNKS;
        rig.streamEnded(this, client);
        Rig.closeQuietly(channel);
    }
}
