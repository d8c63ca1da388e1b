package io.tempolimit.watch;

import io.tempolimit.core.limiter.Limiter;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.NotCompliantMBeanException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Puts the limiter on the platform's MBean server. The only class that links to {@code javax.management}: where the
 * module is missing, loading this class fails with a {@link LinkageError}, and nothing else does.
 */
final class Jmx extends StandardMBean {
    private static final String NAME = "io.tempolimit:type=Limiter";

    // Standard, of the JDK's types only: any console can show it, and no open types need be worked out.
    private Jmx(LimiterControl control) throws NotCompliantMBeanException {
        super(control, LimiterControl.class);
    }

    /** Makes the platform's server if there is none yet, which takes tens of milliseconds. */
    static void register(Limiter limiter, Watch watch) throws JMException {
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Jmx(new Control(limiter, watch, "JMX")), new ObjectName(NAME));
        } catch (InstanceAlreadyExistsException e) {
            watch.warning("JMX: " + NAME + " is there already; is a second agent in this JVM? It shows the first one's statistics");
        }
    }

    @Override
    protected String getDescription(MBeanInfo bean) {
        return "What Tempolimit holds in this JVM, by key; a key is usually a host";
    }

    @Override
    protected String getDescription(MBeanAttributeInfo attribute) {
        switch (attribute.getName()) {
            case "Enabled": return "Whether requests are paced";
            case "DryRun": return "Whether everything is reported, and nothing delayed or rejected";
            case "Keys": return "The names of all keys";
            default: return "All statistics, as JSON";
        }
    }

    @Override
    protected String getDescription(MBeanOperationInfo operation) {
        switch (operation.getName()) {
            case "pause": return "Sends nothing to a key for so many seconds";
            case "resume": return "Ends a pause or a cooldown of a key, without a probe; blocks stay counted";
            case "setRate": return "Sets a key's requests per second and burst, until reset or the JVM's end";
            case "reset": return "Forgets a key's blocks, trips and pauses, what was learned, and setRate";
            case "resetStats": return "Sets the counters of a key to zero";
            default: return "The statistics of a key, as JSON";
        }
    }

    /** What a console writes beside the field that is to be filled in. */
    @Override
    protected String getParameterName(MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
        switch (operation.getName() + sequence) {
            case "pause1": return "seconds";
            case "setRate1": return "rate";
            case "setRate2": return "burst";
            default: return "key";
        }
    }
}
