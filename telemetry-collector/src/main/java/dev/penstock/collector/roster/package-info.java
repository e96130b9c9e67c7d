/**
 * Who is who: numbers, incarnations, and the records that tell them. The only writer of the roster topic.
 */
@NullMarked
package dev.penstock.collector.roster;

import org.jspecify.annotations.NullMarked;
