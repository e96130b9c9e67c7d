package dev.penstock.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection with nothing between the test and the wire: the bytes sent are exactly those given, and a
 * response tells its bytes and how the connection stood at its end. Text is ISO-8859-1, so bytes and chars map one to
 * one. One thread uses it.
 */
public final class RawHttp implements AutoCloseable {
    /** How the connection stood when reading stopped: open (the response was complete), closed, reset, or silent. */
    public enum Ending {
        OPEN,
        FIN,
        RST,
        TIMEOUT
    }

    /** A header line as received. */
    public record HeaderLine(String name, String value) {}

    /**
     * What arrived. {@code complete} says the framing (length, last chunk, or close) was satisfied; {@code body} is
     * de-chunked; {@code raw} holds every byte of this response.
     */
    @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
    public record Response(
            String statusLine, List<HeaderLine> headers, byte[] body, byte[] raw, boolean complete, Ending ending) {
        public int status() {
            String[] parts = statusLine.split(" ", 3);
            return parts.length > 1 && parts[1].matches("\\d{3}") ? Integer.parseInt(parts[1]) : -1;
        }

        public @Nullable String header(String name) {
            for (HeaderLine line : headers) {
                if (line.name().equalsIgnoreCase(name)) return line.value();
            }
            return null;
        }

        public String bodyText() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public String rawText() {
            return new String(raw, StandardCharsets.ISO_8859_1);
        }
    }

    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final byte[] chunk = new byte[16 * 1024];
    /** What is not yet part of a returned response. */
    private final ReceivedBytes received = new ReceivedBytes();

    private long startNanos;
    private long timeoutNanos;
    private Ending ending = Ending.OPEN;

    private RawHttp(InetSocketAddress address) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, CONNECT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    public static RawHttp connect(int loopbackPort) throws IOException {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), loopbackPort));
    }

    public static RawHttp connect(InetSocketAddress address) throws IOException {
        return new RawHttp(address);
    }

    /** Connects, sends, reads one response and closes. */
    public static Response exchange(int loopbackPort, String request, Duration timeout) throws IOException {
        try (RawHttp http = connect(loopbackPort)) {
            return http.send(request).readResponse(timeout);
        }
    }

    public RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawHttp send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Waits until {@code text} is among the bytes received and not yet read as a response; takes nothing away. */
    public String awaitText(String text, Duration timeout) throws IOException {
        begin(timeout);
        while (received.indexOf(text, 0) < 0) {
            if (!fill()) {
                throw new AssertionError("no \"" + text + "\" before " + ending + ", received:\n" + receivedText());
            }
        }
        return receivedText();
    }

    /** One response: a 1xx counts as one, the next call reads what follows it. */
    public Response readResponse(Duration timeout) throws IOException {
        return read(timeout, true);
    }

    /** A response that has no body whatever its headers say: the one to HEAD. */
    public Response readHead(Duration timeout) throws IOException {
        return read(timeout, false);
    }

    /** Reads until the peer closes or resets, or the deadline; the bytes may be none. */
    public Ending awaitClose(Duration timeout) throws IOException {
        begin(timeout);
        while (fill()) {}
        return ending;
    }

    /** Sends FIN and goes on reading. */
    public RawHttp halfClose() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Sends RST. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private Response read(Duration timeout, boolean withBody) throws IOException {
        begin(timeout);
        int headEnd = find("\r\n\r\n", 0);
        if (headEnd < 0) return take(firstLine(), List.of(), new byte[0], received.size(), false);
        String[] lines = received.text(0, headEnd).split("\r\n", -1);
        Response head = take(lines[0], headers(lines), new byte[0], headEnd + 4, true);
        if (!withBody || bodiless(head.status())) return head;
        String coding = head.header("transfer-encoding");
        String length = head.header("content-length");
        if (coding != null && coding.toLowerCase(Locale.ROOT).contains("chunked")) return chunked(head);
        return length != null ? sized(head, Integer.parseInt(length.strip())) : untilClose(head);
    }

    private Response sized(Response head, int length) throws IOException {
        boolean complete = fillTo(length);
        return withBody(head, received.slice(0, length), Math.min(length, received.size()), complete);
    }

    private Response untilClose(Response head) throws IOException {
        while (fill()) {}
        return withBody(head, received.slice(0, received.size()), received.size(), ending == Ending.FIN);
    }

    private Response chunked(Response head) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int lineEnd = find("\r\n", at);
            int size = lineEnd < 0 ? -1 : chunkSize(received.text(at, lineEnd));
            if (size < 0) return withBody(head, body.toByteArray(), received.size(), false);
            at = lineEnd + 2;
            if (size == 0) return trailers(head, body.toByteArray(), at);
            boolean whole = fillTo(at + size + 2);
            body.writeBytes(received.slice(at, at + size));
            if (!whole) return withBody(head, body.toByteArray(), received.size(), false);
            at += size + 2;
        }
    }

    private Response trailers(Response head, byte[] body, int start) throws IOException {
        int at = start;
        while (true) {
            int lineEnd = find("\r\n", at);
            if (lineEnd < 0) return withBody(head, body, received.size(), false);
            boolean blank = lineEnd == at;
            at = lineEnd + 2;
            if (blank) return withBody(head, body, at, true);
        }
    }

    private int find(String text, int from) throws IOException {
        int searchFrom = from;
        while (true) {
            int at = received.indexOf(text, searchFrom);
            if (at >= 0) return at;
            searchFrom = Math.max(from, received.size() - text.length() + 1);
            if (!fill()) return -1;
        }
    }

    private boolean fillTo(int size) throws IOException {
        while (received.size() < size) {
            if (!fill()) return false;
        }
        return true;
    }

    private static int chunkSize(String line) {
        int semicolon = line.indexOf(';');
        try {
            return Integer.parseInt((semicolon < 0 ? line : line.substring(0, semicolon)).strip(), 16);
        } catch (NumberFormatException malformed) {
            return -1;
        }
    }

    private static boolean bodiless(int status) {
        return (status >= 100 && status < 200) || status == 204 || status == 304;
    }

    private static List<HeaderLine> headers(String[] lines) {
        List<HeaderLine> headers = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            String name = colon < 0 ? lines[i] : lines[i].substring(0, colon);
            headers.add(new HeaderLine(
                    name, colon < 0 ? "" : lines[i].substring(colon + 1).strip()));
        }
        return List.copyOf(headers);
    }

    private Response withBody(Response head, byte[] body, int bodyBytes, boolean complete) {
        Response tail = take(head.statusLine(), head.headers(), body, bodyBytes, complete);
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        raw.writeBytes(head.raw());
        raw.writeBytes(tail.raw());
        return new Response(head.statusLine(), head.headers(), body, raw.toByteArray(), tail.complete(), tail.ending());
    }

    /** Takes the first {@code bytes} received out as the raw bytes of a response. */
    private Response take(String statusLine, List<HeaderLine> headers, byte[] body, int bytes, boolean complete) {
        return new Response(statusLine, headers, body, received.take(bytes), complete, ending);
    }

    private String firstLine() {
        return receivedText().lines().findFirst().orElse("");
    }

    private String receivedText() {
        return received.text(0, received.size());
    }

    private void begin(Duration timeout) {
        startNanos = System.nanoTime();
        timeoutNanos = timeout.toNanos();
        if (ending == Ending.TIMEOUT) ending = Ending.OPEN;
    }

    /** Reads what is there; false when no more comes, and {@link #ending} says why. */
    private boolean fill() throws IOException {
        if (ending != Ending.OPEN) return false;
        long leftMillis = (timeoutNanos - (System.nanoTime() - startNanos)) / 1_000_000;
        if (leftMillis <= 0) {
            ending = Ending.TIMEOUT;
            return false;
        }
        socket.setSoTimeout((int) Math.min(leftMillis, Integer.MAX_VALUE));
        try {
            int count = socket.getInputStream().read(chunk);
            if (count < 0) {
                ending = Ending.FIN;
                return false;
            }
            received.append(chunk, count);
            return true;
        } catch (SocketTimeoutException e) {
            ending = Ending.TIMEOUT;
        } catch (SocketException e) {
            ending = Ending.RST;
        }
        return false;
    }
}
