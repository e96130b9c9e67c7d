/**
 * Which replicas there should be, and which models they serve. Numbers are given elsewhere: see roster.
 */
@NullMarked
package dev.penstock.collector.discovery;

import org.jspecify.annotations.NullMarked;
