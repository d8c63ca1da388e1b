package io.tempolimit.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.tempolimit.Rejection")
@Label("Rejection")
@Category("Tempolimit")
@Description("A request was not sent")
@StackTrace(true)
final class RejectionEvent extends Event {
    @Label("Key")
    String key;
    @Label("Host")
    String host;
    @Label("Code")
    String code;
    @Label("Dry Run")
    boolean dryRun;
}
