package dev.penstock.core.capacity;

/** What the replicas of a class, or of a pool, have in common. One writer. */
final class HardwareClass {
    private static final double LEAST_HALF = 1;
    private static final double MOST_HALF = 4_096;

    private double gain;
    private double loss;
    private double logs;
    private double weight;
    private double toldLogs;
    private int toldMembers;
    private int members;

    /** Requests in flight at which they do half of what they can. */
    double half;

    HardwareClass(double half) {
        this.half = half;
    }

    void clear() {
        gain = 0;
        loss = 0;
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
        gain += replica.gain();
        loss += replica.loss();
        if (replica.told > 0) {
            toldLogs += Math.log(replica.told);
            toldMembers++;
        }
    }

    void addLog(double log, double itsWeight) {
        logs += itsWeight * log;
        weight += itsWeight;
    }

    /** What was known before of the halves of its members, or what else there is. */
    double told(double otherwise) {
        return toldMembers == 0 ? otherwise : Math.exp(toldLogs / toldMembers);
    }

    boolean meanKnown() {
        return weight > 0;
    }

    double meanLog() {
        return logs / weight;
    }

    void learnHalf(double prior, double counts, double farthest) {
        half = half(gain, loss, prior, counts, farthest);
    }

    /**
     * Gain over loss, where the prior counts like a loss of {@code counts}. A loss of 1 is a class whose B was up and down by
     * as much as B + h in one window of five seconds, or by a tenth of it in a hundred.
     *
     * @param farthest from the prior, as a factor
     */
    static double half(double gain, double loss, double prior, double counts, double farthest) {
        double all = loss + counts;
        // Noise may have made it nothing or less: then nothing is known.
        if (!(all > counts / 2)) return prior;
        double least = Math.max(LEAST_HALF, prior / farthest);
        double most = Math.min(MOST_HALF, prior * farthest);
        return Math.clamp((gain + counts * prior) / all, Math.min(least, most), most);
    }
}
