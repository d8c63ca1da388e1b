package io.tempolimit.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.tempolimit.Cooldown")
@Label("Cooldown")
@Category("Tempolimit")
@Description("A cooldown begins, or gets longer")
@StackTrace(false)
final class CooldownEvent extends Event {
    @Label("Key")
    String key;
    @Label("State")
    @Description("cooling_down, circuit_open or lifetime_blocked")
    String state;
    @Label("Length")
    @Description("How long it will be; 0 if for good")
    @Timespan(Timespan.NANOSECONDS)
    long length;
    @Label("Reason")
    String reason;
    @Label("Rung")
    @Description("Of how many trips in its memory this is the last; 0 if it is no trip")
    int rung;
    @Label("Dry Run")
    boolean dryRun;
}
