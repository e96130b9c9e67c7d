package dev.penstock.router.cases;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What is logged while it is open. */
final class LogTap extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();

    static LogTap open() {
        LogTap tap = new LogTap();
        tap.start();
        ROOT.addAppender(tap);
        return tap;
    }

    /** Message and key-values of every line. */
    List<String> lines() {
        return lines.stream().map(LogTap::shown).toList();
    }

    /** Those of the router's own code that are warnings or worse. */
    List<String> warnings() {
        return lines.stream()
                .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .filter(line -> line.getLoggerName().startsWith("dev.penstock"))
                .map(LogTap::shown)
                .toList();
    }

    @Override
    public void close() {
        ROOT.detachAppender(this);
    }

    @Override
    protected void append(ILoggingEvent line) {
        lines.add(line);
    }

    private static String shown(ILoggingEvent line) {
        return line.getLoggerName() + " " + line.getFormattedMessage() + " " + line.getKeyValuePairs();
    }
}
