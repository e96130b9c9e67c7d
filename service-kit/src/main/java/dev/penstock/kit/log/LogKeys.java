package dev.penstock.kit.log;

/** Keys of structured log lines: one word per thing, so that they can be searched for. */
public final class LogKeys {
    public static final String SERVICE = "service";
    public static final String INCARNATION = "incarnation";
    public static final String REPLICA = "replica";
    public static final String REQUEST = "request";
    public static final String MODEL = "model";
    public static final String POOL = "pool";
    public static final String HOLDER = "holder";
    public static final String SHARD = "shard";
    public static final String MEMBERS = "members";
    public static final String REASON = "reason";
    public static final String OLD = "old";
    public static final String NEW = "new";
    public static final String TOPIC = "topic";
    public static final String CONDITION = "condition";
    public static final String ROLE = "role";
    public static final String EPOCH = "epoch";
    public static final String GROUP = "group";
    public static final String TASK = "task";
    public static final String HOST = "host";
    public static final String PORT = "port";
    public static final String PATH = "path";
    public static final String URL = "url";
    public static final String COUNT = "count";
    public static final String MILLIS = "millis";
    public static final String ERROR = "error";

    private LogKeys() {}
}
