package dev.penstock.router.ingress;

import dev.penstock.core.pick.PickRule;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.core.session.SessionBook;
import dev.penstock.core.view.FleetView;
import dev.penstock.kit.management.Readiness;
import dev.penstock.router.account.Arrivals;
import dev.penstock.router.account.DecisionCounters;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.account.OutcomeCounters;
import dev.penstock.router.account.RelayCounters;
import dev.penstock.router.auth.Authenticator;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.router.job.Jobs;
import dev.penstock.router.limit.RateLimits;
import dev.penstock.router.prefix.ModelPrefixes;
import dev.penstock.router.prefix.PrefixCounters;
import dev.penstock.router.relay.RelayPolicies;
import dev.penstock.router.session.ModelSessions;
import dev.penstock.router.trace.Traces;
import java.util.function.LongSupplier;

/** What the listeners of all event loops share. */
public record IngressParts(
        RouterConfig config,
        FleetView view,
        Readiness readiness,
        BodyMemory memory,
        RequestIds ids,
        ModelNames names,
        RateLimits rates,
        ModelStrategies<PickRule> strategies,
        Arrivals arrivals,
        DemandLedger demand,
        OutcomeCounters counters,
        RelayCounters relayCounters,
        RelayPolicies policies,
        DecisionCounters decisionCounters,
        ModelSessions sessions,
        SessionBook pins,
        ModelPrefixes prefixModes,
        PrefixTable prefixes,
        PrefixCounters prefixCounters,
        Jobs jobs,
        Authenticator authenticator,
        Traces traces,
        LongSupplier nanoClock) {}
