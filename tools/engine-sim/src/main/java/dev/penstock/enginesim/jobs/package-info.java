/**
 * Videos, which are asked for, waited for and fetched: {@code /v1/videos}. Jobs live in {@code engine}; this is their API.
 */
@NullMarked
package dev.penstock.enginesim.jobs;

import org.jspecify.annotations.NullMarked;
