package io.tempolimit.attach;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A Java program of this machine, by its process id. */
final class Program {
    private static final int SIGQUIT = 3;
    private static final long PATIENCE = 2_000_000_000L;
    private static final long LOOK = 20_000_000L;

    final String pid;

    private Program(String pid) {
        this.pid = pid;
    }

    /** Whether a text can be a process id at all. */
    static boolean isId(String text) {
        try {
            return Long.parseLong(text) >= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /**
     * Looks whether there is one that can be talked to. To ask is not harmless: a JVM is asked by a signal, which ends
     * a process that is none.
     *
     * @param pid one that {@link #isId}
     * @throws Unreachable if there is none
     */
    static Program of(String pid) throws Unreachable {
        long number = Long.parseLong(pid);
        Optional<ProcessHandle> process = ProcessHandle.of(number);
        if (process.isEmpty()) {
            throw new Unreachable("There is no process " + number + "." + others());
        }
        if (number == ProcessHandle.current().pid()) {
            throw new Unreachable("Process " + number + " is this command itself.");
        }
        String user = process.get().info().user().orElse(null);
        String own = ProcessHandle.current().info().user().orElse(null);
        if (user != null && own != null && !user.equals(own) && !own.equals("root")) {
            throw new Unreachable("Process " + number + " belongs to " + user + ", and this is " + own
                    + ": run the command as " + user + ".");
        }
        if (!isJava(Long.toString(number))) {
            throw new Unreachable("Process " + number
                    + " is not a JVM, or one that cannot be asked (-Xrs, -XX:+DisableAttachMechanism)." + others());
        }
        return new Program(Long.toString(number));
    }

    /** Other programs than JVMs may wait for that signal, too: one in Go prints where it is, and ends. */
    private static boolean isJava(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "maps"), StandardCharsets.ISO_8859_1).contains("/libjvm.so") && listensSoon(pid);
        } catch (IOException | RuntimeException e) {
            return listed(pid) != null; // no such folder on this system
        }
    }

    /** Before it does, in the first moments of its start, the signal would end it. */
    private static boolean listensSoon(String pid) throws IOException {
        long begin = System.nanoTime();
        while (!listens(pid)) {
            if (System.nanoTime() - begin > PATIENCE) {
                return false;
            }
            LockSupport.parkNanos(LOOK);
        }
        return true;
    }

    private static boolean listens(String pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc", pid, "status"), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("SigCgt:")) {
                long caught = Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).trim(), 16);
                return (caught >> SIGQUIT - 1 & 1) != 0;
            }
        }
        return false;
    }

    private static VirtualMachineDescriptor listed(String pid) {
        for (VirtualMachineDescriptor vm : VirtualMachine.list()) {
            if (vm.id().equals(pid)) {
                return vm;
            }
        }
        return null;
    }

    /** Its id, and its main class or jar if that is known. */
    String name() {
        VirtualMachineDescriptor vm = listed(pid);
        String main = vm == null ? "" : main(vm);
        return main.isEmpty() ? pid : pid + " (" + main + ")";
    }

    /** Without the arguments: they may hold what is nobody's business. */
    private static String main(VirtualMachineDescriptor vm) {
        String name = vm.displayName();
        int end = name.indexOf(' ');
        String main = end < 0 ? name : name.substring(0, end);
        return main.substring(main.lastIndexOf('/') + 1);
    }

    /** The other Java programs of this user by their ids, for one who does not know the id. */
    static String others() {
        List<VirtualMachineDescriptor> all = new ArrayList<>(VirtualMachine.list());
        all.sort(Comparator.comparingInt((VirtualMachineDescriptor vm) -> vm.id().length()).thenComparing(VirtualMachineDescriptor::id));
        String own = Long.toString(ProcessHandle.current().pid());
        StringBuilder text = new StringBuilder();
        for (VirtualMachineDescriptor vm : all) {
            if (!vm.id().equals(own)) {
                text.append(System.lineSeparator()).append("  ").append(vm.id()).append("  ").append(main(vm));
            }
        }
        return text.length() == 0 ? "" : " Java programs of this user:" + text;
    }
}
