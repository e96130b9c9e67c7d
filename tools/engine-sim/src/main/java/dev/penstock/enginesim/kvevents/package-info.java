/** What engines publish of their KV caches, as vLLM and SGLang write it: ZeroMQ and msgpack. */
@NullMarked
package dev.penstock.enginesim.kvevents;

import org.jspecify.annotations.NullMarked;
