package io.tempolimit.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.tempolimit.Block")
@Label("Block")
@Category("Tempolimit")
@Description("An answer was a block")
@StackTrace(false)
final class BlockEvent extends Event {
    @Label("Key")
    String key;
    @Label("Host")
    String host;
    @Label("Type")
    String type;
    @Label("Counts")
    @Description("Whether it made the count rise, and does not belong to an incident that was known")
    boolean counts;
    @Label("Vendor")
    String vendor;
    @Label("Rule")
    String rule;
    @Label("Evidence")
    String evidence;
    @Label("Status")
    int status;
    @Label("URL")
    @Description("Without user info, query and fragment")
    String url;
    @Label("Consecutive")
    int consecutive;
    @Label("Dry Run")
    boolean dryRun;
}
