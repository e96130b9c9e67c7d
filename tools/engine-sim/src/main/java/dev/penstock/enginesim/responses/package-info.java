/**
 * The response object, its events and its follow-ups: what {@code /v1/responses} says in each engine. How a response comes about is the business of {@code openai}.
 */
@NullMarked
package dev.penstock.enginesim.responses;

import org.jspecify.annotations.NullMarked;
