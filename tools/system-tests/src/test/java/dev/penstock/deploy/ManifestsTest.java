package dev.penstock.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.collector.discovery.ReplicaFile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Renders k8s/overlays and holds them to Kubernetes' types, to the rules of this repository and to the services' code. */
class ManifestsTest {
    private static final String SECRET_OF_THE_OPERATOR = "penstock-management";
    private static final String CONFIG_FILE = "/etc/penstock/config/penstock.yaml";
    private static final Map<String, String> POD_FIELDS = Map.of("metadata.name", "pod-0", "status.podIP", "10.0.0.7");

    @TempDir
    private Path folder;

    /** A pod template with what owns it. */
    private record Workload(String name, HasMetadata owner, LabelSelector selector, PodTemplateSpec template) {
        PodSpec pod() {
            return template.getSpec();
        }

        Container container() {
            return pod().getContainers().getFirst();
        }

        Map<String, String> labels() {
            return template.getMetadata().getLabels();
        }

        /** The first argument of our image, or empty for another image. */
        String service() {
            List<String> args = container().getArgs();
            return args.isEmpty() || !Services.has(args.getFirst()) ? "" : args.getFirst();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void an_overlay_keeps_the_rules(String overlay) throws Exception {
        List<HasMetadata> all = render(overlay);
        List<Workload> workloads = workloads(all);

        assertThat(workloads.stream().map(Workload::service).filter(service -> !service.isEmpty()))
                .containsExactlyInAnyOrder("router", "health", "collector", "admission", "advisor");
        for (Workload each : workloads) {
            runsRestricted(each);
            isProbed(each);
            hasResources(each);
            hasPinnedImage(each);
            refersToWhatIsThere(each, all, overlay);
            assertThat(matches(each.selector(), each.labels())).as(each.name()).isTrue();
        }
        for (Workload each : workloads) {
            if (!each.service().isEmpty()) startsWithItsConfiguration(each, all);
        }
        servicesLeadToPods(all, workloads);
        budgetsAllowOneAway(all, workloads);
        policiesDenyByDefaultAndMatch(all, workloads);
        oneNamespace(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod"})
    void the_collector_reads_the_replicas_of_its_overlay(String overlay) throws Exception {
        List<HasMetadata> all = render(overlay);
        Workload collector = workloads(all).stream()
                .filter(each -> each.service().equals("collector"))
                .findFirst()
                .orElseThrow();

        Path file = Services.replicaFile(configFile(collector, all), environment(collector, all));

        String key = file.getFileName().toString();
        ConfigMap mounted = mountedAt(collector, file.getParent().toString(), all);
        assertThat(mounted.getData()).containsKey(key);
        assertThat(replicas(mounted.getData().get(key))).isNotEmpty();
    }

    @Test
    void routers_have_stable_names_and_start_together() throws Exception {
        StatefulSet router = of(StatefulSet.class, render("prod")).getFirst();

        assertThat(router.getSpec().getPodManagementPolicy()).isEqualTo("Parallel");
        assertThat(router.getSpec().getReplicas()).isGreaterThanOrEqualTo(2);
        assertThat(of(Service.class, render("prod")))
                .anyMatch(service ->
                        service.getMetadata().getName().equals(router.getSpec().getServiceName())
                                && "None".equals(service.getSpec().getClusterIP()));
    }

    /** Kubernetes tells nodes that a pod is no endpoint any more while it tells the pod to stop. */
    @Test
    void routers_listen_until_nobody_is_sent_to_them() throws Exception {
        StatefulSet router = of(StatefulSet.class, render("prod")).getFirst();

        assertThat(secondsBeforeStop(
                        router.getSpec().getTemplate().getSpec().getContainers().getFirst()))
                .isGreaterThanOrEqualTo(5);
    }

    /** What a preStop hook sleeps, which counts as time to stop. */
    private static long secondsBeforeStop(Container container) {
        if (container.getLifecycle() == null) return 0;
        List<String> command = container.getLifecycle().getPreStop().getExec().getCommand();
        assertThat(command).as("preStop").hasSize(2).startsWith("sleep");
        return Long.parseLong(command.getLast());
    }

    @Test
    void the_other_services_are_two_and_never_fewer_in_a_rollout() throws Exception {
        List<Deployment> deployments = of(Deployment.class, render("prod"));

        assertThat(deployments).hasSize(4).allSatisfy(each -> {
            assertThat(each.getSpec().getReplicas()).isEqualTo(2);
            assertThat(each.getSpec().getStrategy().getRollingUpdate().getMaxUnavailable())
                    .isEqualTo(new IntOrString(0));
        });
    }

    @Test
    void keda_reaches_every_advisor() throws Exception {
        List<Service> grpc = of(Service.class, render("prod")).stream()
                .filter(each -> each.getMetadata().getName().equals("penstock-advisor-grpc"))
                .toList();

        assertThat(grpc).singleElement().satisfies(service -> {
            assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
            assertThat(service.getSpec().getPorts()).singleElement().satisfies(port -> assertThat(port.getAppProtocol())
                    .isEqualTo("kubernetes.io/h2c"));
        });
    }

    @Test
    void no_secret_is_in_the_production_manifests() throws Exception {
        assertThat(of(Secret.class, render("prod"))).isEmpty();
    }

    @Test
    void a_misspelt_field_is_noticed() {
        Object wrong = Repository.yaml("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: x}
            spec: {template: {spec: {containers: [{name: x, readynessProbe: {}}]}}}
            """);

        assertThatThrownBy(() -> StrictKinds.parse(wrong)).hasMessageContaining("readynessProbe");
    }

    static List<DiscoveredReplica> replicas(String yaml) {
        return switch (ReplicaFile.parse(yaml)) {
            case ReplicaFile.Good good -> good.replicas();
            case ReplicaFile.Bad bad -> throw new AssertionError("replicas.yaml: " + bad.problems());
        };
    }

    private static List<HasMetadata> render(String overlay) throws IOException, InterruptedException {
        return Repository.documents(Renderer.render("k8s/overlays/" + overlay)).stream()
                .map(StrictKinds::parse)
                .toList();
    }

    private static List<Workload> workloads(List<HasMetadata> all) {
        List<Workload> workloads = new ArrayList<>();
        for (HasMetadata each : all) {
            String name = each.getKind() + " " + each.getMetadata().getName();
            switch (each) {
                case Deployment it ->
                    workloads.add(new Workload(
                            name, it, it.getSpec().getSelector(), it.getSpec().getTemplate()));
                case StatefulSet it ->
                    workloads.add(new Workload(
                            name, it, it.getSpec().getSelector(), it.getSpec().getTemplate()));
                default -> {}
            }
        }
        return workloads;
    }

    private static <T extends HasMetadata> List<T> of(Class<T> type, List<HasMetadata> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void runsRestricted(Workload each) {
        PodSecurityContext pod = each.pod().getSecurityContext();
        assertThat(pod).as(each.name() + " securityContext").isNotNull();
        assertThat(pod.getRunAsNonRoot()).as(each.name() + " runAsNonRoot").isTrue();
        assertThat(pod.getRunAsUser()).as(each.name() + " runAsUser").isPositive();
        assertThat(pod.getSeccompProfile().getType())
                .as(each.name() + " seccomp")
                .isEqualTo("RuntimeDefault");
        assertThat(each.pod().getAutomountServiceAccountToken())
                .as(each.name() + " token")
                .isFalse();
        assertThat(each.pod().getEnableServiceLinks())
                .as(each.name() + " service links")
                .isFalse();
        for (Container container : each.pod().getContainers()) {
            SecurityContext security = container.getSecurityContext();
            assertThat(security.getAllowPrivilegeEscalation()).as(each.name()).isFalse();
            assertThat(security.getCapabilities().getDrop()).as(each.name()).containsExactly("ALL");
            if (!each.service().isEmpty()) {
                assertThat(security.getReadOnlyRootFilesystem()).as(each.name()).isTrue();
                assertThat(pod.getRunAsUser()).as(each.name()).isEqualTo(65532);
            }
        }
    }

    private static void isProbed(Workload each) {
        Container container = each.container();
        probe(each, "startup", container.getStartupProbe(), "/livez");
        probe(each, "liveness", container.getLivenessProbe(), "/livez");
        probe(each, "readiness", container.getReadinessProbe(), "/readyz");
    }

    private static void probe(Workload each, String kind, Probe probe, String path) {
        assertThat(probe).as(each.name() + " " + kind + " probe").isNotNull();
        IntOrString port = probe.getHttpGet() == null
                ? probe.getTcpSocket().getPort()
                : probe.getHttpGet().getPort();
        assertThat(hasPort(each, port))
                .as(each.name() + " " + kind + " probe's port")
                .isTrue();
        if (!each.service().isEmpty()) {
            assertThat(probe.getHttpGet().getPath())
                    .as(each.name() + " " + kind)
                    .isEqualTo(path);
            assertThat(port.getStrVal()).as(each.name() + " " + kind).isEqualTo("management");
        }
    }

    private static void hasResources(Workload each) {
        var resources = each.container().getResources();
        assertThat(resources.getRequests()).as(each.name() + " requests").containsKeys("cpu", "memory");
        assertThat(resources.getLimits().get("memory"))
                .as(each.name() + " memory")
                .isEqualTo(resources.getRequests().get("memory"));
        if (each.service().equals("router")) {
            assertThat(resources.getLimits()).as("a CPU limit ruins the tail").doesNotContainKey("cpu");
        }
    }

    private static void hasPinnedImage(Workload each) {
        assertThat(each.container().getImage()).as(each.name() + " image").matches("[a-z0-9./-]+:[^:]*\\d[^:]*");
    }

    private static void refersToWhatIsThere(Workload each, List<HasMetadata> all, String overlay) {
        for (EnvFromSource source : each.container().getEnvFrom()) {
            configMap(source.getConfigMapRef().getName(), all);
        }
        for (Volume volume : each.pod().getVolumes()) {
            if (volume.getConfigMap() != null) configMap(volume.getConfigMap().getName(), all);
        }
        each.container().getVolumeMounts().forEach(mount -> assertThat(
                        each.pod().getVolumes())
                .as(each.name() + " mounts " + mount.getName())
                .anyMatch(volume -> volume.getName().equals(mount.getName())));
        for (EnvVar variable : each.container().getEnv()) {
            if (variable.getValueFrom() == null || variable.getValueFrom().getSecretKeyRef() == null) continue;
            String secret = variable.getValueFrom().getSecretKeyRef().getName();
            boolean there = of(Secret.class, all).stream()
                    .anyMatch(one -> one.getMetadata().getName().equals(secret));
            boolean operators = overlay.equals("prod") && secret.equals(SECRET_OF_THE_OPERATOR);
            assertThat(there || operators)
                    .as(each.name() + " refers to Secret " + secret)
                    .isTrue();
        }
    }

    private void startsWithItsConfiguration(Workload each, List<HasMetadata> all) throws IOException {
        Map<String, String> environment = environment(each, all);
        assertThat(environment.keySet()).as(each.name()).allMatch(Services::isVariable);
        assertThat(environment).as(each.name()).containsKeys("PENSTOCK_NAME", "PENSTOCK__SECURITY__MANAGEMENTTOKEN");
        List<String> args = each.container().getArgs();
        assertThat(args.subList(1, args.size())).as(each.name()).containsExactly("--config", CONFIG_FILE);

        Path file = configFile(each, all);
        Services.readAll(file, environment);
        Services.Listens listens = Services.of(each.service()).read(file, environment);

        assertThat(listens.host()).as(each.name()).isEqualTo("0.0.0.0");
        assertThat(each.container().getPorts().stream().map(ContainerPort::getContainerPort))
                .as(each.name() + " container ports")
                .containsExactlyInAnyOrderElementsOf(listens.ports());
        assertThat(each.container().getPorts())
                .as(each.name() + " management port")
                .anyMatch(port ->
                        port.getName().equals("management") && port.getContainerPort() == listens.managementPort());
        assertThat(each.pod().getTerminationGracePeriodSeconds())
                .as(each.name() + " time to stop")
                .isGreaterThan(
                        secondsBeforeStop(each.container()) + listens.grace().toSeconds());
        assertThat(each.container().getVolumeMounts())
                .as(each.name() + " writable folders")
                .extracting("mountPath")
                .contains("/tmp", "/data");
        assertThat(each.pod().getTopologySpreadConstraints())
                .as(each.name() + " spread")
                .hasSize(2);
        each.pod().getTopologySpreadConstraints().forEach(spread -> assertThat(
                        matches(spread.getLabelSelector(), each.labels()))
                .as(each.name() + " spread")
                .isTrue());
    }

    private static Map<String, String> environment(Workload each, List<HasMetadata> all) {
        Map<String, String> environment = new TreeMap<>();
        for (EnvFromSource source : each.container().getEnvFrom()) {
            environment.putAll(
                    configMap(source.getConfigMapRef().getName(), all).getData());
        }
        for (EnvVar variable : each.container().getEnv()) {
            if (variable.getValueFrom() == null) environment.put(variable.getName(), variable.getValue());
            else if (variable.getValueFrom().getFieldRef() != null) {
                String field = variable.getValueFrom().getFieldRef().getFieldPath();
                assertThat(POD_FIELDS).containsKey(field);
                environment.put(variable.getName(), POD_FIELDS.get(field));
            } else environment.put(variable.getName(), "a-token-out-of-a-secret");
        }
        return environment;
    }

    /** The mounted penstock.yaml, as a file. */
    private Path configFile(Workload each, List<HasMetadata> all) throws IOException {
        Path mount = Path.of(CONFIG_FILE);
        ConfigMap config = mountedAt(each, mount.getParent().toString(), all);
        String yaml = config.getData().get(mount.getFileName().toString());
        assertThat(yaml).as(CONFIG_FILE + " of " + each.name()).isNotNull();
        return Files.writeString(folder.resolve("penstock.yaml"), yaml);
    }

    private static ConfigMap mountedAt(Workload each, String path, List<HasMetadata> all) {
        String volume = each.container().getVolumeMounts().stream()
                .filter(mount -> mount.getMountPath().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError(each.name() + " mounts nothing at " + path))
                .getName();
        return each.pod().getVolumes().stream()
                .filter(one -> one.getName().equals(volume))
                .map(one -> configMap(one.getConfigMap().getName(), all))
                .findFirst()
                .orElseThrow();
    }

    private static ConfigMap configMap(String name, List<HasMetadata> all) {
        return of(ConfigMap.class, all).stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no ConfigMap " + name));
    }

    private static void servicesLeadToPods(List<HasMetadata> all, List<Workload> workloads) {
        for (Service service : of(Service.class, all)) {
            String name = "Service " + service.getMetadata().getName();
            List<Workload> behind = workloads.stream()
                    .filter(each -> each.labels()
                            .entrySet()
                            .containsAll(service.getSpec().getSelector().entrySet()))
                    .toList();
            assertThat(behind).as(name + " selects").hasSize(1);
            for (ServicePort port : service.getSpec().getPorts()) {
                assertThat(hasPort(behind.getFirst(), port.getTargetPort()))
                        .as(name + " port " + port.getName())
                        .isTrue();
            }
        }
    }

    private static void budgetsAllowOneAway(List<HasMetadata> all, List<Workload> workloads) {
        List<PodDisruptionBudget> budgets = of(PodDisruptionBudget.class, all);
        for (Workload each : workloads) {
            if (each.service().isEmpty()) continue;
            assertThat(budgets)
                    .as("budget of " + each.name())
                    .filteredOn(budget -> matches(budget.getSpec().getSelector(), each.labels()))
                    .singleElement()
                    .satisfies(budget -> {
                        assertThat(budget.getSpec().getMaxUnavailable()).isEqualTo(new IntOrString(1));
                        assertThat(budget.getSpec().getUnhealthyPodEvictionPolicy())
                                .isEqualTo("AlwaysAllow");
                    });
        }
    }

    private static void policiesDenyByDefaultAndMatch(List<HasMetadata> all, List<Workload> workloads) {
        List<NetworkPolicy> policies = of(NetworkPolicy.class, all);
        assertThat(policies).as("default deny").anyMatch(policy -> {
            var spec = policy.getSpec();
            return isEmpty(spec.getPodSelector())
                    && spec.getIngress().isEmpty()
                    && spec.getEgress().isEmpty()
                    && spec.getPolicyTypes().containsAll(List.of("Ingress", "Egress"));
        });
        for (NetworkPolicy policy : policies) {
            if (isEmpty(policy.getSpec().getPodSelector())) continue;
            String name = "NetworkPolicy " + policy.getMetadata().getName();
            List<Workload> matched = workloads.stream()
                    .filter(each -> matches(policy.getSpec().getPodSelector(), each.labels()))
                    .toList();
            assertThat(matched).as(name + " selects").isNotEmpty();
            for (NetworkPolicyIngressRule rule : policy.getSpec().getIngress()) {
                assertThat(rule.getFrom()).as(name + " lets in whom").isNotEmpty();
                for (NetworkPolicyPort port : rule.getPorts()) {
                    assertThat(matched)
                            .as(name + " port " + port.getPort())
                            .allMatch(each -> hasPort(each, port.getPort()));
                }
            }
        }
    }

    private static void oneNamespace(List<HasMetadata> all) {
        String namespace = all.stream()
                .filter(each -> each.getKind().equals("Namespace"))
                .map(each -> each.getMetadata().getName())
                .findFirst()
                .orElseThrow();
        assertThat(all)
                .filteredOn(each -> !each.getKind().equals("Namespace"))
                .allMatch(each -> namespace.equals(each.getMetadata().getNamespace()));
    }

    private static boolean hasPort(Workload each, IntOrString port) {
        return each.container().getPorts().stream()
                .anyMatch(one -> port.getStrVal() == null
                        ? one.getContainerPort().equals(port.getIntVal())
                        : port.getStrVal().equals(one.getName()));
    }

    private static boolean isEmpty(LabelSelector selector) {
        return (selector.getMatchLabels() == null || selector.getMatchLabels().isEmpty())
                && selector.getMatchExpressions().isEmpty();
    }

    private static boolean matches(LabelSelector selector, Map<String, String> labels) {
        boolean byLabels = selector.getMatchLabels() == null
                || labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
        return !isEmpty(selector)
                && byLabels
                && selector.getMatchExpressions().stream().allMatch(each -> {
                    assertThat(each.getOperator()).isEqualTo("In");
                    return each.getValues().contains(labels.get(each.getKey()));
                });
    }
}
