package dev.penstock.relaybench;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** nginx with one worker, connections kept, nothing buffered and nothing logged: what a relay in C costs. */
record NginxContender(int port, Child child) implements Contender {
    static NginxContender start(Cores cores, Path folder, String host, int upstream) throws IOException {
        int port = FreePorts.one();
        Path home = Files.createDirectories(folder.resolve("nginx"));
        Path file = Files.writeString(home.resolve("nginx.conf"), """
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            error_log %1$s/error.log crit;
            events { worker_connections 8192; use epoll; }
            http {
              access_log off;
              keepalive_requests 1000000000;
              client_max_body_size 0;
              client_body_temp_path %1$s/body;
              proxy_temp_path %1$s/proxy;
              fastcgi_temp_path %1$s/fastcgi;
              uwsgi_temp_path %1$s/uwsgi;
              scgi_temp_path %1$s/scgi;
              upstream engines { server %2$s:%3$d; keepalive 512; keepalive_requests 1000000000; }
              server {
                listen 127.0.0.1:%4$d backlog=1024;
                location / {
                  proxy_pass http://engines;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_buffering off;
                  proxy_request_buffering off;
                }
              }
            }
            """.formatted(home, host, upstream, port));
        Child child = Child.start(
                cores.onContender(List.of(
                        Executables.find("nginx"),
                        "-p",
                        home.toString(),
                        "-c",
                        file.toString(),
                        "-e",
                        home + "/error.log")),
                Map.of(),
                folder.resolve("nginx.log"));
        NginxContender nginx = new NginxContender(port, child);
        nginx.awaitReady();
        return nginx;
    }

    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public boolean jvm() {
        return false;
    }

    @Override
    public long allocatedBytes() {
        return 0;
    }

    @Override
    public void awaitReady() {
        Await.until("nginx listens", Duration.ofSeconds(10), () -> {
            child.requireAlive();
            return Http.accepts(port);
        });
    }

    @Override
    public void close() throws IOException, InterruptedException {
        child.close();
    }
}
