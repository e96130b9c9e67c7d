/**
 * What every module's tests share: a clock, seeds, waiting, ports, child JVMs and a raw HTTP client. No framework, and
 * nothing that knows what Penstock decides.
 */
@NullMarked
package dev.penstock.testkit;

import org.jspecify.annotations.NullMarked;
