package io.tempolimit.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.tempolimit.Throttle")
@Label("Throttle")
@Category("Tempolimit")
@Description("A request has waited for its turn, for as long as the event lasts")
@StackTrace(true)
final class ThrottleEvent extends Event {
    @Label("Key")
    String key;
    @Label("Host")
    String host;
    @Label("Wait")
    @Description("What it has waited; in a dry run, what it would have waited alone")
    @Timespan(Timespan.NANOSECONDS)
    long waited;
    @Label("Dry Run")
    boolean dryRun;
}
