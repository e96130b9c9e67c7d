/** What can be made to go wrong with an engine. Values only; who carries a fault out is elsewhere. */
@NullMarked
package dev.penstock.enginesim.fault;

import org.jspecify.annotations.NullMarked;
