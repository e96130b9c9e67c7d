package dev.penstock.deploy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Manifests as Kubernetes' own types. An API server drops a misspelt field silently; here it is a failure. */
final class StrictKinds {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "v1 Namespace", Namespace.class,
            "v1 ConfigMap", ConfigMap.class,
            "v1 Secret", Secret.class,
            "v1 Service", Service.class,
            "v1 ServiceAccount", ServiceAccount.class,
            "apps/v1 Deployment", Deployment.class,
            "apps/v1 StatefulSet", StatefulSet.class,
            "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class,
            "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class);

    private StrictKinds() {}

    static HasMetadata parse(Object document) {
        Map<?, ?> map = (Map<?, ?>) document;
        String kind = map.get("apiVersion") + " " + map.get("kind");
        Class<? extends HasMetadata> type = KINDS.get(kind);
        if (type == null) throw new AssertionError("no rule for the kind " + kind);
        HasMetadata resource = JSON.convertValue(document, type);
        String name = map.get("kind") + " " + resource.getMetadata().getName();
        List<String> unknown = new ArrayList<>();
        findUnknown(name, resource, unknown);
        if (!unknown.isEmpty()) throw new AssertionError("unknown fields: " + String.join(", ", unknown));
        return resource;
    }

    private static void findUnknown(String path, Object value, List<String> unknown) {
        switch (value) {
            case Map<?, ?> map -> map.forEach((key, each) -> descend(path + "." + key, each, unknown));
            case Collection<?> list -> list.forEach(each -> descend(path + "[]", each, unknown));
            default -> {
                if (value.getClass().getName().startsWith("io.fabric8.")) findInFields(path, value, unknown);
            }
        }
    }

    private static void findInFields(String path, Object value, List<String> unknown) {
        for (Class<?> type = value.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) continue;
                Object held = read(field, value);
                if (field.getName().equals("additionalProperties")) {
                    if (held instanceof Map<?, ?> extra) extra.keySet().forEach(key -> unknown.add(path + "." + key));
                } else {
                    descend(path + "." + field.getName(), held, unknown);
                }
            }
        }
    }

    private static void descend(String path, Object value, List<String> unknown) {
        if (value != null) findUnknown(path, value, unknown);
    }

    private static Object read(Field field, Object owner) {
        try {
            field.setAccessible(true);
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field.toString(), e);
        }
    }
}
