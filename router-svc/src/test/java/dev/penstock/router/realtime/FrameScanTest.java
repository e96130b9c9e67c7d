package dev.penstock.router.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FrameScanTest {
    @Property(tries = 2_000, seed = "1")
    void cuts_never_let_a_part_of_a_head_pass(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Integer> heads = new ArrayList<>();
        Buffer stream = Buffer.buffer();
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            int start = stream.length();
            int payload = random.nextBoolean() ? random.nextInt(130) : random.nextInt(70_000);
            stream.appendBuffer(frame(random.nextInt(3), random.nextBoolean(), payload));
            int head = stream.length() - payload;
            for (int at = start + 1; at < head; at++) heads.add(at);
        }

        FrameScan scan = new FrameScan();
        int passed = 0;
        for (int given = 0; given < stream.length(); ) {
            given = Math.min(stream.length(), given + 1 + random.nextInt(random.nextBoolean() ? 4 : 5_000));
            passed += scan.feed(stream.getBuffer(passed, given));
            assertThat(heads).doesNotContain(passed);
        }

        assertThat(passed).isEqualTo(stream.length());
        assertThat(scan.betweenFrames()).isTrue();
        assertThat(scan.closed()).isFalse();
    }

    @Test
    void a_close_is_seen_with_its_code_whatever_the_cut() {
        Buffer close =
                Buffer.buffer(new byte[] {(byte) 0x88, (byte) 0x84, 1, 2, 3, 4, 0x0f ^ 1, (byte) 0xa2 ^ 2, 3, 4});
        for (int cut = 0; cut < close.length(); cut++) {
            FrameScan scan = new FrameScan();
            int passed = scan.feed(close.getBuffer(0, cut));
            assertThat(scan.closed()).isFalse();
            passed += scan.feed(close.getBuffer(passed, close.length()));
            assertThat(passed).isEqualTo(close.length());
            assertThat(scan.closed()).isTrue();
            assertThat(scan.closeCode()).isEqualTo(4002);
        }
    }

    @Test
    void a_close_without_a_code_is_one() {
        FrameScan scan = new FrameScan();

        assertThat(scan.feed(Buffer.buffer(new byte[] {(byte) 0x88, 0, 1, 1, 'x'})))
                .isEqualTo(2);

        assertThat(scan.closed()).isTrue();
        assertThat(scan.closeCode()).isEqualTo(FrameScan.NO_CODE);
    }

    @Test
    void what_is_longer_than_allowed_does_not_begin() {
        Buffer small = frame(1, false, 5);
        Buffer head =
                Buffer.buffer().appendByte((byte) 0x82).appendByte((byte) 127).appendLong((16 << 20) + 1);
        FrameScan scan = new FrameScan();

        assertThat(scan.feed(Buffer.buffer().appendBuffer(small).appendBuffer(head)))
                .isEqualTo(small.length());

        assertThat(scan.tooBig()).isTrue();
        assertThat(scan.betweenFrames()).isTrue();
    }

    @Test
    void closes_of_our_own_read_as_closes() {
        for (CloseCode code : CloseCode.values()) {
            FrameScan toClient = new FrameScan();
            toClient.feed(code.toClient());
            assertThat(toClient.closeCode()).isEqualTo(code.code());
            FrameScan toEngine = new FrameScan();
            toEngine.feed(code.toEngine());
            assertThat(toEngine.closeCode()).isEqualTo(code.code());
        }
    }

    private static Buffer frame(int opcode, boolean masked, int payload) {
        Buffer frame = Buffer.buffer().appendByte((byte) (0x80 | opcode));
        int mask = masked ? 0x80 : 0;
        if (payload < 126) frame.appendByte((byte) (mask | payload));
        else if (payload < 1 << 16) frame.appendByte((byte) (mask | 126)).appendUnsignedShort(payload);
        else frame.appendByte((byte) (mask | 127)).appendLong(payload);
        if (masked) frame.appendInt(0x88888888);
        return frame.appendBytes(new byte[payload]);
    }
}
