package dev.penstock.admission.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final List<String> sent = new ArrayList<>();
    private final ReplicaIndexes indexes = new ReplicaIndexes();
    private final Outbox outbox = new Outbox(
            new HolderPort() {
                @Override
                public void welcome() {}

                @Override
                public void refused(Refusal reason) {}

                @Override
                public void granted(int[] numbers, int[] slots) {
                    sent.add("granted " + Arrays.toString(numbers) + Arrays.toString(slots));
                }

                @Override
                public void recalled(int[] numbers, int[] targets) {
                    sent.add("recalled " + Arrays.toString(numbers) + Arrays.toString(targets));
                }

                @Override
                public void close() {}
            },
            indexes);

    @Test
    void nothing_is_sent_before_the_flush_and_no_recall_overtakes_a_grant_of_its_replica() {
        int five = indexes.give(5);
        int six = indexes.give(6);
        outbox.grant(five, 2);
        outbox.recall(six, 1);
        outbox.recall(five, 0);
        outbox.grant(six, 3);
        assertThat(sent).isEmpty();
        outbox.flush();
        outbox.flush();
        assertThat(sent).containsExactly("recalled [6][1]", "granted [5][2]", "recalled [5][0]", "granted [6][3]");
    }
}
