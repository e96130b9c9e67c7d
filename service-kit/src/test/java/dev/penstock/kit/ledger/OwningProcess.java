package dev.penstock.kit.ledger;

import io.vertx.core.Vertx;

/** Serves the ledger and welcomes everybody: {@code PORT}. */
final class OwningProcess {
    private OwningProcess() {}

    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        vertx.runOnContext(begin -> LedgerServer.listen(vertx, "127.0.0.1", Integer.parseInt(args[0]), stream -> {
                    return new LedgerReceiver<>() {
                        @Override
                        public void message(FromHolder message) {
                            stream.send(new FromOwner.Welcome());
                        }

                        @Override
                        public void ended(String reason) {}
                    };
                })
                .onSuccess(server -> System.out.println("listens on " + server.port()))
                .onFailure(failure -> System.exit(1)));
    }
}
