/**
 * The load and the engines of a relay benchmark, in a process and on a thread of their own. Raw sockets: it must cost less
 * than what it measures.
 */
@NullMarked
package dev.penstock.relaybench.rig;

import org.jspecify.annotations.NullMarked;
