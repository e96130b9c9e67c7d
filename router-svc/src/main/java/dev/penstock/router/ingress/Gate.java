package dev.penstock.router.ingress;

import dev.penstock.router.api.ApiError;
import dev.penstock.router.auth.Access;
import dev.penstock.router.auth.LocalAuthenticator;
import io.vertx.core.http.HttpServerRequest;

/** Who a request is from, and what that one may ask for. One per event loop. */
final class Gate {
    private final LocalAuthenticator authenticator;

    Gate(LocalAuthenticator authenticator) {
        this.authenticator = authenticator;
    }

    Access check(HttpServerRequest request) {
        return authenticator.check(request.headers(), System.currentTimeMillis());
    }

    static ApiError error(Access.Refused refused) {
        return refused.reason().status() == 401
                ? ApiError.unauthorized(refused.reason().message())
                : ApiError.authBusy(refused.reason().message());
    }
}
