/**
 * What one engine has whatever API it speaks: its step loop, the book of its requests, and what it sent. No HTTP API
 * knowledge here.
 */
@NullMarked
package dev.penstock.enginesim.engine;

import org.jspecify.annotations.NullMarked;
