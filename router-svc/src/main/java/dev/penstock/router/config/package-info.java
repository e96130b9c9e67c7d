/** The router's section of the configuration. */
@NullMarked
package dev.penstock.router.config;

import org.jspecify.annotations.NullMarked;
