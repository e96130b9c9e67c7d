package dev.penstock.router.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Where a router's management port is reached: {@code http}, a host, and nothing behind the port. */
public record ManagementUrl(String text) {
    static final String EXPECTED = "a base URL like http://10.1.2.3:8081, of 300 characters at most";

    /** A DNS name has up to 253 characters. */
    private static final int LONGEST = 300;

    public ManagementUrl {
        if (!valid(text)) throw new IllegalArgumentException("management URL: " + text + ", expected " + EXPECTED);
    }

    /** Null when the text is none. */
    public static @Nullable ManagementUrl parse(String text) {
        String base = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        return valid(base) ? new ManagementUrl(base) : null;
    }

    /**
     * Of a port that listens on this host: at that host, or at the machine's own address when it listens on all of them.
     * Blocks, because names are looked up.
     */
    public static ManagementUrl ofListener(String host, int port) throws UnknownHostException {
        boolean all = InetAddress.getByName(host).isAnyLocalAddress();
        String address = all ? InetAddress.getLocalHost().getHostAddress() : host;
        boolean bare = address.indexOf(':') >= 0 && !address.startsWith("[");
        return new ManagementUrl("http://" + (bare ? "[" + address + "]" : address) + ":" + port);
    }

    @Override
    public String toString() {
        return text;
    }

    /** TLS on management ports is not offered, so only http passes. */
    private static boolean valid(String text) {
        if (text.length() > LONGEST) return false;
        try {
            URI uri = new URI(text);
            boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null && uri.getRawUserInfo() == null;
            boolean root = uri.getRawPath() == null || uri.getRawPath().isEmpty();
            boolean port = uri.getPort() != 0 && uri.getPort() <= 65_535;
            return "http".equals(uri.getScheme()) && uri.getHost() != null && bare && root && port;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
