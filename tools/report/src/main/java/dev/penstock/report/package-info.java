/** What simulations and benchmarks report, as plain records. Rendering is the CLI's; nothing here measures. */
@NullMarked
package dev.penstock.report;

import org.jspecify.annotations.NullMarked;
