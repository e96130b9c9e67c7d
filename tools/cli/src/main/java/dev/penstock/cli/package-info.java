/**
 * The command {@code ./penstock}: one class per subcommand, and what they share. It meets a running stack only through
 * {@code run.json} and HTTP: no part of the router is imported here.
 */
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
