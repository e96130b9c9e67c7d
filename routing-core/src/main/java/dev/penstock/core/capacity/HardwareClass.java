package dev.penstock.core.capacity;

/** What the replicas of a class, or of a pool, have in common. One writer. */
final class HardwareClass {
    private final FitEvidence evidence = new FitEvidence();
    private double logs;
    private double weight;
    private double toldLogs;
    private int toldMembers;
    private int members;

    /** What its half was thought to be before any evidence. */
    private double prior;

    /** Requests in flight at which they do half of what they can. */
    double half;

    HardwareClass(double half) {
        this.half = half;
        this.prior = half;
    }

    void clear() {
        evidence.clear();
        logs = 0;
        weight = 0;
        toldLogs = 0;
        toldMembers = 0;
        members = 0;
    }

    boolean empty() {
        return members == 0;
    }

    void addFit(ReplicaCapacity replica) {
        members++;
        replica.tell(evidence);
        if (replica.told > 0) {
            toldLogs += Math.log(replica.told);
            toldMembers++;
        }
    }

    void addLog(double log, double itsWeight) {
        logs += itsWeight * log;
        weight += itsWeight;
    }

    /** What was known before of the halves of its members; of whom nothing was, something else counts. */
    double told(double otherwise) {
        if (toldMembers == 0) return otherwise;
        return Math.exp((toldLogs + (members - toldMembers) * Math.log(otherwise)) / members);
    }

    boolean meanKnown() {
        return weight > 0;
    }

    double meanLog() {
        return logs / weight;
    }

    /** See {@link FitEvidence#half}. */
    void learnHalf(double nextPrior, double spread, double farthest) {
        prior = nextPrior;
        half = evidence.half(prior, spread, farthest);
    }

    /** A half that was known before, moved as far as the class has moved since. */
    double since(double told) {
        return told * half / prior;
    }
}
