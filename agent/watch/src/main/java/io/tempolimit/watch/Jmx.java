package io.tempolimit.watch;

import io.tempolimit.core.Hosts;
import io.tempolimit.core.Key;
import io.tempolimit.core.Limiter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collection;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/**
 * Puts the limiter on the platform's MBean server. The only class that links to {@code javax.management}: where the
 * module is missing, loading this class fails with a {@link LinkageError}, and nothing else does.
 */
final class Jmx {
    private static final String NAME = "io.tempolimit:type=Limiter";

    private Jmx() {
    }

    /** Makes the platform's server if there is none yet, which takes tens of milliseconds. */
    static void register(Limiter limiter, Watch watch) throws JMException {
        try {
            // Standard, of the JDK's types only: any console can show it, and no open types need be worked out.
            ManagementFactory.getPlatformMBeanServer().registerMBean(
                    new StandardMBean(new Control(limiter, watch), LimiterControl.class), new ObjectName(NAME));
        } catch (InstanceAlreadyExistsException e) {
            watch.warning("JMX: " + NAME + " is there already; is a second agent in this JVM? It shows the first one's statistics");
        }
    }

    private static final class Control implements LimiterControl {
        private final Limiter limiter;
        private final Watch watch;

        Control(Limiter limiter, Watch watch) {
            this.limiter = limiter;
            this.watch = watch;
        }

        @Override
        public String getStatsJson() {
            return StatsJson.of(limiter, watch);
        }

        @Override
        public String[] getKeys() {
            Collection<Key> keys = limiter.keys();
            String[] names = new String[keys.size()];
            int n = 0;
            for (Key key : keys) {
                names[n++] = key.name();
            }
            Arrays.sort(names);
            return names;
        }

        @Override
        public boolean isEnabled() {
            return limiter.enabled();
        }

        @Override
        public void setEnabled(boolean on) {
            limiter.setEnabled(on);
            watch.log().info(on ? "Pacing goes on, by JMX" : "Pacing stops, by JMX: requests go as they come");
        }

        @Override
        public boolean isDryRun() {
            return limiter.dryRun();
        }

        @Override
        public void setDryRun(boolean on) {
            limiter.setDryRun(on);
            watch.log().info(on ? "A dry run begins, by JMX: requests go as they come" : "The dry run ends, by JMX");
        }

        @Override
        public String stats(String name) {
            return StatsJson.of(key(name));
        }

        @Override
        public void reset(String name) {
            Key key = key(name);
            key.reset();
            watch.log().info(key.name() + ": begins anew, by JMX");
        }

        private Key key(String name) {
            String host = Hosts.canonical(name);
            Key key = host == null ? null : limiter.key(host);
            if (key == null) {
                throw new IllegalArgumentException("There is no key " + name);
            }
            return key;
        }
    }
}
