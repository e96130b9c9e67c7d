package dev.penstock.enginesim.engine;

/** An answer that can be asked for again, while it is made and after. */
public interface StoredResponse {
    /** As it is at this moment. */
    String json();

    /** What a request that goes on from it has before its own input. */
    String conversation();

    /** Whether it is still made. */
    boolean working();

    /** Ends it, if it is still made. */
    void cancel();

    /** One that is whole. */
    record Finished(String json, String conversation) implements StoredResponse {
        @Override
        public boolean working() {
            return false;
        }

        @Override
        public void cancel() {}
    }
}
