package dev.penstock.router.session;

import dev.penstock.core.session.PinStore;
import dev.penstock.model.RedisKeys;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pins there are, a batch at a time, while the router serves: a page of keys, their values, the next page. What is
 * told meanwhile is later than what is read, and versions say so. Ends after the table's size of pins.
 */
final class PinLoad {
    private static final int PAGE = 500;
    private static final int HASH_DIGITS = 16;

    private final RedisConnection connection;
    private final PinStore.Listener listener;
    private final int most;
    private final long patienceMillis;
    private int loaded;

    PinLoad(RedisConnection connection, PinStore.Listener listener, int most, long patienceMillis) {
        this.connection = connection;
        this.listener = listener;
        this.most = most;
        this.patienceMillis = patienceMillis;
    }

    /** How many pins it told the listener. */
    Future<Integer> run() {
        return page("0");
    }

    private Future<Integer> page(String cursor) {
        Request scan = Request.cmd(Command.SCAN)
                .arg(cursor)
                .arg("MATCH")
                .arg(RedisKeys.allPins())
                .arg("COUNT")
                .arg(PAGE);
        return send(scan).compose(answer -> {
            String next = answer.get(0).toString();
            return values(keys(answer.get(1)))
                    .compose(read -> next.equals("0") || loaded >= most ? Future.succeededFuture(loaded) : page(next));
        });
    }

    private Future<?> values(List<String> keys) {
        if (keys.isEmpty()) return Future.succeededFuture();
        Request get = Request.cmd(Command.MGET);
        keys.forEach(get::arg);
        return send(get).onSuccess(values -> {
            for (int i = 0; i < keys.size(); i++) tell(keys.get(i), values.get(i));
        });
    }

    private void tell(String key, @Nullable Response value) {
        PinValue pin = value == null ? null : PinValue.parse(value.toString());
        if (pin == null || key.length() < HASH_DIGITS) return;
        try {
            long hash = Long.parseUnsignedLong(key, key.length() - HASH_DIGITS, key.length(), 16);
            listener.told(hash, pin.owner(), pin.version());
            loaded++;
        } catch (NumberFormatException e) {
            // somebody else's key under our prefix
        }
    }

    private Future<Response> send(Request request) {
        return connection.send(request).timeout(patienceMillis, TimeUnit.MILLISECONDS);
    }

    private static List<String> keys(Response page) {
        List<String> keys = new ArrayList<>(page.size());
        for (Response key : page) keys.add(key.toString());
        return keys;
    }
}
