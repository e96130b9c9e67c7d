/** What can be configured of the advisor. Reading only. */
@NullMarked
package dev.penstock.advisor.config;

import org.jspecify.annotations.NullMarked;
