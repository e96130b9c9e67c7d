package dev.penstock.kit.run;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.net.URL;
import org.slf4j.LoggerFactory;

/** JSON lines unless somebody configured Logback: its own default is DEBUG, which no service survives. */
final class Logging {
    private static final String DEFAULT = "dev/penstock/kit/logback-json.xml";

    private Logging() {}

    static void configure() {
        ClassLoader classes = Logging.class.getClassLoader();
        if (System.getProperty("logback.configurationFile") != null) return;
        if (classes.getResource("logback.xml") != null || classes.getResource("logback-test.xml") != null) return;
        URL file = classes.getResource(DEFAULT);
        if (file == null || !(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) return;
        try {
            JoranConfigurator configurator = new JoranConfigurator();
            context.reset();
            configurator.setContext(context);
            configurator.doConfigure(file);
        } catch (JoranException e) {
            throw new IllegalStateException(DEFAULT, e);
        }
    }
}
