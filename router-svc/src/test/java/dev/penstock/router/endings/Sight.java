package dev.penstock.router.endings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.Received;

/** What a client sees of its request's end. */
sealed interface Sight {
    /** What came must be that. */
    void check(Received received);

    /** A whole answer of an engine, and the connection stays. */
    record Whole(int status) implements Sight {
        @Override
        public void check(Received received) {
            Response answer = received.answer();
            assertThat(answer.status()).as(received.text()).isEqualTo(status);
            assertThat(answer.complete()).as(received.text()).isTrue();
            assertThat(answer.header("x-penstock-error")).isNull();
            assertThat(received.ending()).isEqualTo(Ending.OPEN);
        }
    }

    /** A whole error of the router's, and the connection stays. */
    record Own(int status) implements Sight {
        @Override
        public void check(Received received) {
            Response answer = received.answer();
            assertThat(answer.status()).as(received.text()).isEqualTo(status);
            assertThat(answer.complete()).as(received.text()).isTrue();
            assertThat(answer.header("x-penstock-error")).isNotNull();
            assertThat(received.ending()).isEqualTo(Ending.OPEN);
        }
    }

    /** A whole answer before all of the request was sent. */
    record Early(int status) implements Sight {
        @Override
        public void check(Received received) {
            assertThat(received.answer().status()).as(received.text()).isEqualTo(status);
            assertThat(received.answer().complete()).as(received.text()).isTrue();
        }
    }

    /** A stream that ends with one error event: no {@code [DONE]}, no last chunk, and the connection closes. */
    record ErrorEvent() implements Sight {
        @Override
        public void check(Received received) {
            assertThat(received.answer().status()).as(received.text()).isEqualTo(200);
            assertThat(received.answer().complete()).as(received.text()).isFalse();
            assertThat(received.text().split("data: \\{\"error\":", -1))
                    .as(received.text())
                    .hasSize(2);
            assertThat(received.text()).doesNotContain("0\r\n\r\n");
            assertThat(received.ending()).isNotEqualTo(Ending.OPEN);
        }
    }

    /** The router's error where nothing was sent yet, else the event: which one is a matter of milliseconds. */
    record OwnOrEvent(int status) implements Sight {
        @Override
        public void check(Received received) {
            if (received.ending() == Ending.OPEN) new Own(status).check(received);
            else new ErrorEvent().check(received);
        }
    }

    /** An answer that is visibly cut: nothing can be said in it. */
    record CutOff(int status) implements Sight {
        @Override
        public void check(Received received) {
            assertThat(received.answer().status()).as(received.text()).isEqualTo(status);
            assertThat(received.answer().complete()).as(received.text()).isFalse();
            assertThat(received.ending()).isNotEqualTo(Ending.OPEN);
        }
    }

    /** Nobody looks. */
    record Gone() implements Sight {
        @Override
        public void check(Received received) {}
    }

    /** True when an end of the connection belongs to it. */
    default boolean ends() {
        return this instanceof ErrorEvent || this instanceof CutOff;
    }

    /** True when the connection must serve on. */
    default boolean staysOpen() {
        return this instanceof Whole || this instanceof Own;
    }
}
