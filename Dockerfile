# One image for the five services and engine-sim; the command says which: router, health, collector, admission, advisor,
# engine-sim. docker/build.sh lays the jars out first. No BuildKit needed.
#   docker run IMAGE router --config /etc/penstock/config/penstock.yaml
ARG BASE_IMAGE=eclipse-temurin:25-jre
FROM ${BASE_IMAGE}

LABEL org.opencontainers.image.title="penstock" \
      org.opencontainers.image.description="The traffic layer for LLM-inference fleets" \
      org.opencontainers.image.licenses="Apache-2.0"

# /data holds the lock file and the copy of the roster; a new volume mounted there gets its owner from here.
RUN mkdir -p /data && chown 65532:65532 /data

# One layer per rate of change: others' jars seldom, ours with each build.
COPY docker/image/run docker/image/healthy /app/bin/
COPY docker/target/image/lib/ /app/lib/
COPY docker/target/image/app/ /app/app/

# The root file system may be read-only: then /data and an exec-able /tmp (Netty unpacks its native transport there) are
# mounts. PENSTOCK_JAVA_OPTS is for limits that belong to a deployment, such as -XX:MaxDirectMemorySize.
ENV PENSTOCK_JAVA_OPTS="" \
    PENSTOCK__DATA__DIRECTORY=/data
USER 65532:65532
WORKDIR /data
EXPOSE 8080 8081 8082 8083 8084 8085 8090 8094 9084 9090
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/run"]
