/**
 * What the APIs of both engines have in common: paths and bodies of OpenAI's API, the life of a request, and what faults
 * do to it. How an engine words its answers is its {@link dev.penstock.enginesim.openai.Dialect}, in a package of its own.
 */
@NullMarked
package dev.penstock.enginesim.openai;

import org.jspecify.annotations.NullMarked;
