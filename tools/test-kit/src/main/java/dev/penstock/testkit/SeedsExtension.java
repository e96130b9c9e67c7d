package dev.penstock.testkit;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Gives a test method a {@link RandomGenerator} or its {@link Seeds}, one seed per test, reported when the test fails. */
public final class SeedsExtension implements ParameterResolver, TestExecutionExceptionHandler {
    private static final Namespace NAMESPACE = Namespace.create(SeedsExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == RandomGenerator.class || type == Seeds.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Seeds seeds = seeds(context);
        return parameter.getParameter().getType() == Seeds.class ? seeds : seeds.random();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        seeds(context).report(failure);
        throw failure;
    }

    private static Seeds seeds(ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(Seeds.class, key -> Seeds.fresh(), Seeds.class);
    }
}
