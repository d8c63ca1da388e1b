package io.tempolimit.attach;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** To the agent in another JVM, by that JVM's own local management connector, which is started if it does not run yet. For one thread. */
final class Connection implements AutoCloseable {
    private static final String ADDRESS = "com.sun.management.jmxremote.localConnectorAddress";
    private static final String NAME = "io.tempolimit:type=Limiter";
    /** The agent shows itself a moment after the server is there, on a thread of its own. */
    private static final long PATIENCE = 5_000_000_000L;

    private final Program program;
    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private Connection(Program program, JMXConnector connector) throws IOException {
        this.program = program;
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    static Connection to(Program program) throws Unreachable {
        try {
            return new Connection(program, JMXConnectorFactory.connect(new JMXServiceURL(address(program))));
        } catch (AttachNotSupportedException e) {
            throw new Unreachable(program.name() + " does not answer: " + e.getMessage());
        } catch (AttachOperationFailedException e) {
            throw new Unreachable(program.name() + " has no management connector (module jdk.management.agent): " + e.getMessage());
        } catch (IOException e) {
            throw new Unreachable(program.name() + " does not answer: " + e.getMessage());
        }
    }

    private static String address(Program program) throws AttachNotSupportedException, IOException {
        VirtualMachine vm = VirtualMachine.attach(program.pid);
        try {
            String address = vm.getAgentProperties().getProperty(ADDRESS);
            return address != null ? address : vm.startLocalManagementAgent();
        } finally {
            vm.detach();
        }
    }

    /**
     * All statistics, as JSON.
     *
     * @throws Unreachable if there is no agent
     * @throws IOException if the JVM has ended
     */
    String stats() throws Unreachable, IOException {
        long begin = System.nanoTime();
        for (;;) {
            try {
                return (String) server.getAttribute(new ObjectName(NAME), "StatsJson");
            } catch (InstanceNotFoundException e) {
                if (System.nanoTime() - begin > PATIENCE) {
                    throw new Unreachable("There is no Tempolimit in " + program.name() + "; attach starts it.");
                }
            } catch (JMException e) {
                throw new Unreachable(program.name() + ": " + e.getMessage());
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Unreachable("interrupted");
            }
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // the other end is gone
        }
    }
}
