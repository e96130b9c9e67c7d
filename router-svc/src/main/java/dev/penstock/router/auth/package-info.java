/**
 * Who a client is: API keys and signed tokens, the tenants they name, and what those may ask for. Nothing that speaks HTTP,
 * and no key that outlives the call that brought it.
 */
@NullMarked
package dev.penstock.router.auth;

import org.jspecify.annotations.NullMarked;
