/** The one YAML file and its environment overrides, read with every problem in one report. Nothing that acts on a value. */
@NullMarked
package dev.penstock.kit.config;

import org.jspecify.annotations.NullMarked;
