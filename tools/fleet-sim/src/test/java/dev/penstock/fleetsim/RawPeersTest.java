package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import java.util.List;
import org.junit.jupiter.api.Test;

class RawPeersTest {
    private final RawPeers peers = new RawPeers();

    @Test
    void sumsWhatPeersSaidLast() {
        peers.apply(vector("router-1", 1, 1, true, 5, 3));
        peers.apply(vector("router-2", 2, 1, true, 5, 4));
        peers.apply(vector("router-1", 1, 2, false, 5, 1));

        assertThat(peers.at(5)).isEqualTo(5);
        assertThat(peers.at(6)).isZero();
    }

    @Test
    void whatIsOlderOrOfAnEarlierLifeIsDropped() {
        peers.apply(vector("router-1", 2, 7, true, 5, 3));
        peers.apply(vector("router-1", 2, 6, false, 5, 9));
        peers.apply(vector("router-1", 1, 8, true, 5, 9));

        assertThat(peers.at(5)).isEqualTo(3);
    }

    @Test
    void aFullOneAndANewLifeForgetTheRest() {
        peers.apply(vector("router-1", 1, 1, true, 5, 3));
        peers.apply(vector("router-1", 1, 2, true, 6, 2));
        peers.apply(vector("router-1", 2, 1, false, 7, 1));

        assertThat(peers.at(5)).isZero();
        assertThat(peers.at(6)).isZero();
        assertThat(peers.at(7)).isEqualTo(1);
    }

    private static InflightVector vector(
            String router, long incarnation, long sequence, boolean full, int number, int count) {
        return new InflightVector(
                new Header(router, incarnation, sequence, Header.NO_EPOCH, 0),
                1,
                full,
                new int[] {number},
                new int[] {count},
                List.of());
    }
}
