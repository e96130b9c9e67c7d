package dev.penstock.router.cases;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives case tests the one {@link CaseInfra} and the one {@link RouterScene} with usual settings. Both are started when
 * first asked for, and closed when all tests are over: a router of its own would cost each class two seconds.
 */
public final class CaseExtension implements ParameterResolver {
    private static final Namespace CASES = Namespace.create(CaseExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == CaseInfra.class || type == RouterScene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Store store = context.getRoot().getStore(CASES);
        CaseInfra infra = store.computeIfAbsent(CaseInfra.class, type -> new CaseInfra(), CaseInfra.class);
        if (parameter.getParameter().getType() == CaseInfra.class) return infra;
        return store.computeIfAbsent(
                RouterScene.class, type -> RouterScene.start(infra, "cases", RouterScene.USUAL), RouterScene.class);
    }
}
