package dev.penstock.kit.config;

import java.util.regex.Pattern;

/** The {@code redis} part. */
public record RedisConfig(String url) {
    private static final String DEFAULT = "redis://127.0.0.1:6379";
    private static final Pattern URL = Pattern.compile("rediss?://[^\\s/]+(/\\d*)?");

    public static RedisConfig read(ConfigTree config) {
        ConfigSection redis = config.section("redis");
        String url = redis.string("url", DEFAULT);
        if (URL.matcher(url).matches()) return new RedisConfig(url);
        redis.problem("url", url, "an address like " + DEFAULT);
        return new RedisConfig(DEFAULT);
    }
}
