package dev.penstock.kit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that holders and owners of different versions agree on: recorded once, never edited to make a test pass. */
class LedgerGoldenTest {
    private static final String SYNC =
            "0a350a08726f757465722d301188776655443322111a056c6f63616c22056c6c616d6128ac0230053a0303ac02420218084a0214005002";
    private static final String RETURNED = "12090a0303ac0212020102";
    private static final String REPORT = "1a0a0a010312010418052006";
    private static final String ASK = "22020809";
    private static final String WELCOME = "0a00";
    private static final String REFUSED = "121c0a1a706f6f6c20612f62206973206e6f74206f776e65642068657265";
    private static final String GRANTED = "1a090a0303ac0212020a14";
    private static final String RECALLED = "22060a0103120100";

    @Test
    void what_holders_say_keeps_its_bytes() throws Exception {
        List<FromHolder> messages = List.of(
                new FromHolder.Sync(
                        new Holder("router-0", 0x1122334455667788L),
                        new PoolId("local", "llama"),
                        300,
                        5,
                        new int[] {3, 300},
                        new int[] {24, 8},
                        new int[] {20, 0},
                        2),
                new FromHolder.Returned(new int[] {3, 300}, new int[] {1, 2}),
                new FromHolder.Report(new int[] {3}, new int[] {4}, 5, 6),
                new FromHolder.Ask(9));
        List<String> golden = List.of(SYNC, RETURNED, REPORT, ASK);
        for (int i = 0; i < messages.size(); i++) {
            byte[] bytes = LedgerMessages.toProto(messages.get(i)).toByteArray();

            assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden.get(i));
            assertThat(LedgerMessages.fromProto(dev.penstock.kit.ledger.proto.FromHolder.parseFrom(bytes)))
                    .usingRecursiveComparison()
                    .isEqualTo(messages.get(i));
        }
    }

    @Test
    void what_owners_say_keeps_its_bytes() throws Exception {
        List<FromOwner> messages = List.of(
                new FromOwner.Welcome(),
                new FromOwner.Refused("pool a/b is not owned here"),
                new FromOwner.Granted(new int[] {3, 300}, new int[] {10, 20}),
                new FromOwner.Recalled(new int[] {3}, new int[] {0}));
        List<String> golden = List.of(WELCOME, REFUSED, GRANTED, RECALLED);
        for (int i = 0; i < messages.size(); i++) {
            byte[] bytes = LedgerMessages.toProto(messages.get(i)).toByteArray();

            assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden.get(i));
            assertThat(LedgerMessages.fromProto(dev.penstock.kit.ledger.proto.FromOwner.parseFrom(bytes)))
                    .usingRecursiveComparison()
                    .isEqualTo(messages.get(i));
        }
    }
}
