package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnFlushTest {
    private final TurnFlush flush = new TurnFlush();

    @Test
    void what_was_written_leaves_at_the_end_of_the_turn() {
        EmbeddedChannel client = held();
        EmbeddedChannel engine = held();

        client.pipeline().writeAndFlush("answer");
        engine.pipeline().writeAndFlush("head");
        engine.pipeline().writeAndFlush("body");

        assertThat(client.outboundMessages()).isEmpty();
        assertThat(engine.outboundMessages()).isEmpty();
        endOfTurn(client, engine);
        assertThat(client.outboundMessages()).containsExactly("answer");
        assertThat(engine.outboundMessages()).containsExactly("head", "body");
    }

    /** Its peer may have closed behind what was read, and Netty closes then past all handlers. */
    @Test
    void what_a_connections_own_reading_wrote_leaves_with_it() {
        EmbeddedChannel client = held();
        EmbeddedChannel other = held();
        // The turn's end waits where the first has written, and an embedded channel runs its tasks when it is flushed.
        other.pipeline().writeAndFlush("later");
        client.pipeline().writeAndFlush("answer");

        client.pipeline().fireChannelReadComplete();

        assertThat(client.outboundMessages()).containsExactly("answer");
        assertThat(other.outboundMessages()).isEmpty();
    }

    @Test
    void a_turn_after_another_sends_too() {
        EmbeddedChannel client = held();
        client.pipeline().writeAndFlush("first");
        endOfTurn(client);

        client.pipeline().writeAndFlush("second");
        endOfTurn(client);

        assertThat(client.outboundMessages()).containsExactly("first", "second");
    }

    @Test
    void a_long_turn_sends_in_between() {
        List<EmbeddedChannel> channels = new ArrayList<>();

        for (int i = 0; i < TurnFlush.MOST_WAITING; i++) {
            EmbeddedChannel channel = held();
            channels.add(channel);
            channel.pipeline().writeAndFlush("answer");
        }

        assertThat(channels)
                .allSatisfy(each -> assertThat(each.outboundMessages()).containsExactly("answer"));
    }

    @Test
    void who_closes_sends_first_what_waits() {
        EmbeddedChannel client = held();
        client.pipeline().writeAndFlush("last words");

        client.close();

        assertThat(client.outboundMessages()).containsExactly("last words");
    }

    @Test
    void nothing_to_write_sends_at_once() {
        EmbeddedChannel client = held();
        client.pipeline().writeAndFlush("answer");

        client.pipeline().writeAndFlush(Unpooled.EMPTY_BUFFER);

        assertThat(client.outboundMessages()).containsExactly("answer", Unpooled.EMPTY_BUFFER);
    }

    @Test
    void who_goes_past_the_handlers_can_have_it_sent() {
        EmbeddedChannel engine = held();
        engine.pipeline().writeAndFlush("question");

        TurnFlush.now(engine);

        assertThat(engine.outboundMessages()).containsExactly("question");
    }

    @Test
    void to_be_held_twice_changes_nothing() {
        EmbeddedChannel client = held();
        flush.hold(client);

        client.pipeline().writeAndFlush("answer");
        TurnFlush.now(client);

        assertThat(client.outboundMessages()).containsExactly("answer");
    }

    private EmbeddedChannel held() {
        EmbeddedChannel channel = new EmbeddedChannel();
        flush.hold(channel);
        return channel;
    }

    private static void endOfTurn(EmbeddedChannel... channels) {
        for (EmbeddedChannel each : channels) each.runPendingTasks();
    }
}
