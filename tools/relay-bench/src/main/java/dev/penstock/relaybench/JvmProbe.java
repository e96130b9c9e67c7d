package dev.penstock.relaybench;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/**
 * Looks into another JVM of this machine without its help: its local management agent is started by attaching to it. What it
 * allocates to answer is some kilobytes a look.
 */
final class JvmProbe implements Closeable {
    private static final Pattern OTHER = Pattern.compile("\\bOther \\(reserved=\\d+KB, committed=(\\d+)KB");
    private static final long KIB = 1_024;
    /** Contenders are frozen for minutes: a check that they answer would give them up. */
    private static final Map<String, Object> UNCHECKED = Map.of("jmx.remote.x.client.connection.check.period", 0L);

    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ThreadMXBean threads;
    private final MemoryMXBean memory;
    /** G1's, where all is after a full collection; other collectors' pools are not as simple. */
    private final @Nullable MemoryPoolMXBean old;

    private JvmProbe(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
        this.threads = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        this.memory = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        this.old = ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("G1 Old Gen"))
                .findFirst()
                .orElse(null);
    }

    @SuppressWarnings("BanJNDI") // a JVM that this one has started
    static JvmProbe attach(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid));
            try {
                return new JvmProbe(
                        JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()), UNCHECKED));
            } finally {
                machine.detach();
            }
        } catch (com.sun.tools.attach.AttachNotSupportedException e) {
            throw new IOException("cannot attach to process " + pid, e);
        }
    }

    /** By all threads that ever ran. */
    long allocatedBytes() {
        return threads.getTotalThreadAllocatedBytes();
    }

    /**
     * What is left after a full collection. G1 says so itself: asking for what is used comes some milliseconds late, and on a
     * busy machine with a megabyte of fresh garbage.
     */
    long liveHeapBytes() {
        memory.gc();
        MemoryUsage left = old == null ? null : old.getCollectionUsage();
        return (left == null ? memory.getHeapMemoryUsage() : left).getUsed();
    }

    /** By class, after a full collection. */
    LiveObjects liveObjects() throws IOException {
        return LiveObjects.of(diagnose("gcClassHistogram"));
    }

    /** Memory outside of the heap that Java code asked for: Netty's arenas. Needs native memory tracking. */
    long directBytes() throws IOException {
        Matcher other = OTHER.matcher(diagnose("vmNativeMemory", "summary"));
        return other.find() ? Long.parseLong(other.group(1)) * KIB : 0;
    }

    void startRecording(Path file) throws IOException {
        diagnose("jfrStart", "name=relay", "settings=profile", "filename=" + file);
    }

    void stopRecording() throws IOException {
        diagnose("jfrStop", "name=relay");
    }

    private String diagnose(String operation, String... arguments) throws IOException {
        try {
            return String.valueOf(beans.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    operation,
                    new Object[] {arguments},
                    new String[] {String[].class.getName()}));
        } catch (JMException e) {
            throw new IOException(operation, e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
