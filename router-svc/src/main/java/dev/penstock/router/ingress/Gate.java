package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.LocalAuthenticator;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Who a request is from, and what that one may ask for. One per event loop. */
public final class Gate {
    private final LocalAuthenticator authenticator;

    Gate(LocalAuthenticator authenticator) {
        this.authenticator = authenticator;
    }

    Access check(HttpServerRequest request) {
        return authenticator.check(request.headers(), System.currentTimeMillis());
    }

    /** @param token that the client said elsewhere, where it can set no headers; null for none */
    public Access check(HttpServerRequest request, @Nullable String token) {
        MultiMap headers = request.headers();
        if (token == null || headers.contains(LocalAuthenticator.AUTHORIZATION)) return check(request);
        return authenticator.check(
                "Bearer " + token,
                headers.get(LocalAuthenticator.X_API_KEY),
                headers.get(LocalAuthenticator.API_KEY),
                System.currentTimeMillis());
    }

    public static ApiError error(Access.Refused refused) {
        return refused.reason().status() == 401
                ? ApiError.unauthorized(refused.reason().message())
                : ApiError.authBusy(refused.reason().message());
    }
}
