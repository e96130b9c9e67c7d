package dev.penstock.router.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.router.config.ManagementUrl;
import dev.penstock.router.fleet.PeerAddresses.Found;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeerAddressesTest {
    private static final long SECOND = 1_000_000_000L;
    /** Nano clocks may be negative and wrap. */
    private static final long START = Long.MAX_VALUE - 30 * SECOND;

    private static final Found UNKNOWN = new Found.Unknown();
    private static final Found UNTOLD = new Found.Untold();

    private final PeerAddresses addresses = new PeerAddresses("router-1");

    @Test
    void a_peer_is_where_its_last_full_vector_says() {
        addresses.heard(full("router-0", 7, "http://a:1"), START);
        assertThat(find("router-0", START)).isEqualTo(at("http://a:1"));

        addresses.heard(full("router-0", 7, "http://b:1"), START + SECOND);
        assertThat(find("router-0", START + SECOND)).isEqualTo(at("http://b:1"));
        assertThat(find("router-00", START + SECOND)).isEqualTo(UNKNOWN);
    }

    @Test
    void a_vector_of_changes_tells_nothing() {
        addresses.heard(vector("router-0", 7, false, "http://a:1"), START);
        assertThat(find("router-0", START)).isEqualTo(UNKNOWN);

        addresses.heard(full("router-0", 7, "http://a:1"), START);
        addresses.heard(vector("router-0", 7, false, null), START);
        assertThat(find("router-0", START)).isEqualTo(at("http://a:1"));
    }

    @Test
    void an_older_router_runs_and_does_not_tell_and_a_wrong_url_is_as_good_as_none() {
        addresses.heard(full("router-0", 7, null), START);
        addresses.heard(full("router-2", 7, "https://a:1/x"), START);

        assertThat(find("router-0", START)).isEqualTo(UNTOLD);
        assertThat(find("router-2", START)).isEqualTo(UNTOLD);
    }

    @Test
    void a_silent_peer_is_forgotten_after_a_minute() {
        addresses.heard(full("router-0", 7, "http://a:1"), START);

        assertThat(find("router-0", START + 60 * SECOND)).isEqualTo(at("http://a:1"));
        assertThat(find("router-0", START + 60 * SECOND + 1)).isEqualTo(UNKNOWN);
        assertThat(addresses.names(START + 60 * SECOND + 1)).isEmpty();
    }

    @Test
    void the_latest_incarnation_wins_however_late_an_earlier_one_speaks() {
        addresses.heard(full("router-0", 9, "http://first:1"), START);
        addresses.heard(full("router-0", 3, "http://second:1"), START + SECOND);
        addresses.heard(full("router-0", 9, "http://first:1"), START + 2 * SECOND);
        assertThat(find("router-0", START + 2 * SECOND)).isEqualTo(at("http://second:1"));

        addresses.heard(full("router-0", 5, null), START + 3 * SECOND);
        assertThat(find("router-0", START + 3 * SECOND)).isEqualTo(UNTOLD);
    }

    @Test
    void an_earlier_incarnation_does_not_keep_its_successor_alive_and_may_return_after_it() {
        addresses.heard(full("router-0", 9, "http://first:1"), START);
        addresses.heard(full("router-0", 3, "http://second:1"), START);
        addresses.heard(full("router-0", 9, "http://first:1"), START + 59 * SECOND);
        assertThat(find("router-0", START + 61 * SECOND)).isEqualTo(UNKNOWN);

        addresses.heard(full("router-0", 9, "http://first:1"), START + 62 * SECOND);
        assertThat(find("router-0", START + 62 * SECOND)).isEqualTo(at("http://first:1"));
    }

    @Test
    void it_is_no_peer_of_its_own() {
        addresses.heard(full("router-1", 7, "http://a:1"), START);

        assertThat(find("router-1", START)).isEqualTo(UNKNOWN);
    }

    @Test
    void whoever_was_silent_for_longest_gives_way() {
        for (int i = 0; i < 1_000; i++) addresses.heard(full("peer-" + i, 1, "http://p:1"), START + i);

        assertThat(addresses.names(START + 1_000)).hasSize(256).contains("peer-744", "peer-999");
        assertThat(find("peer-743", START + 1_000)).isEqualTo(UNKNOWN);
    }

    private Found find(String name, long nowNanos) {
        return addresses.find(name, nowNanos);
    }

    private static Found at(String url) {
        return new Found.At(new ManagementUrl(url));
    }

    private static InflightVector full(String router, long incarnation, @Nullable String url) {
        return vector(router, incarnation, true, url);
    }

    private static InflightVector vector(String router, long incarnation, boolean full, @Nullable String url) {
        Header header = new Header(router, incarnation, 1, Header.NO_EPOCH, 0);
        return new InflightVector(header, 1, full, new int[0], new int[0], List.of(), url);
    }
}
