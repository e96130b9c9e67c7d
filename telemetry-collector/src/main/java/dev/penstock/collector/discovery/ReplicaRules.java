package dev.penstock.collector.discovery;

import dev.penstock.model.EngineKind;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** What the fields of a replica may be, wherever they are written. */
public final class ReplicaRules {
    public static final String NAME = "a name of 1 to 200 letters, digits, dots, dashes or underscores";
    public static final String ENDPOINT = "a base URL like http://host:port";
    public static final String KV_EVENTS = "an address like tcp://host:5557";
    public static final String ENGINE = "vllm, sglang or auto";

    private static final int LONGEST_NAME = 200;

    private ReplicaRules() {}

    public static boolean name(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST_NAME
                && name.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "._-".indexOf(c) >= 0));
    }

    /** TLS to engines is not offered, so only http passes. */
    public static boolean endpoint(String url) {
        try {
            URI uri = new URI(url);
            boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            boolean root = uri.getRawPath() == null
                    || uri.getRawPath().isEmpty()
                    || uri.getRawPath().equals("/");
            boolean port = uri.getPort() != 0 && uri.getPort() <= 65_535;
            return "http".equals(uri.getScheme()) && uri.getHost() != null && bare && root && port;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Where an engine's ZeroMQ sockets are. */
    public static boolean kvEvents(String address) {
        try {
            URI uri = new URI(address);
            boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            boolean root = uri.getRawPath() == null || uri.getRawPath().isEmpty();
            boolean port = uri.getPort() > 0 && uri.getPort() <= 65_535;
            return "tcp".equals(uri.getScheme()) && uri.getHost() != null && bare && root && port;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** The URL without its final slash. */
    public static String base(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    public static @Nullable EngineKind engine(String text) {
        return switch (text) {
            case "vllm" -> EngineKind.VLLM;
            case "sglang" -> EngineKind.SGLANG;
            case "auto" -> EngineKind.AUTO;
            default -> null;
        };
    }
}
