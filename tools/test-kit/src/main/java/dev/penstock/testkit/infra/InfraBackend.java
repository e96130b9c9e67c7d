package dev.penstock.testkit.infra;

/** Where {@link RealInfra} gets its servers from; each call starts one, and {@code close} ends them all. */
sealed interface InfraBackend extends AutoCloseable permits EmbeddedBackend, DockerBackend {
    String startKafka();

    String startRedis();

    @Override
    void close();
}
