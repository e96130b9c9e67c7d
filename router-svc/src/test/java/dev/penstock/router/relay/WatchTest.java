package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchTest {
    private final Watch watch = new Watch();
    private final List<String> looked = new ArrayList<>();

    private final class Named extends Watch.Member {
        private final String name;
        private final boolean leaves;

        Named(String name, boolean leaves) {
            this.name = name;
            this.leaves = leaves;
        }

        @Override
        protected void look(long nowNanos) {
            looked.add(name);
            if (leaves) watch.leave(this);
        }
    }

    @Test
    void who_leaves_while_looked_at_is_not_looked_at_again_and_others_are() {
        for (String name : List.of("a", "b", "c")) watch.join(new Named(name, name.equals("b")));

        watch.look(1);
        watch.look(2);

        assertThat(looked).containsExactly("c", "b", "a", "c", "a");
        assertThat(watch.count()).isEqualTo(2);
    }

    @Test
    void who_takes_the_next_one_along_leaves_the_others_looked_at() {
        Named last = new Named("a", false);
        Named next = new Named("b", false);
        watch.join(last);
        watch.join(next);
        watch.join(new Watch.Member() {
            @Override
            protected void look(long nowNanos) {
                watch.leave(this);
                watch.leave(next);
            }
        });

        watch.look(1);

        assertThat(looked).containsExactly("a");
    }

    @Test
    void leaving_twice_or_without_having_joined_changes_nothing() {
        Named one = new Named("a", false);
        Named stranger = new Named("s", false);
        watch.join(one);

        watch.leave(stranger);
        watch.leave(one);
        watch.leave(one);

        assertThat(watch.count()).isZero();
        watch.look(1);
        assertThat(looked).isEmpty();
    }
}
