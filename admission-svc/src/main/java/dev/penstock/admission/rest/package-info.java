/** The REST API. Answers from what was read back, never from the configuration. */
@NullMarked
package dev.penstock.admission.rest;

import org.jspecify.annotations.NullMarked;
