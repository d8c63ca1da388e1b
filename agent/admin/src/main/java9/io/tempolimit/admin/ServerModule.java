package io.tempolimit.admin;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The JDK's web server as a module, on Java 9 and later. Compiled for 9, because it calls what 8 has not. */
final class ServerModule {
    private ServerModule() {
    }

    /** Lets the agent alone see the server's own classes; false where this JVM has no such module. */
    static boolean open(Instrumentation instrumentation, String ownPackage) {
        Optional<Module> server = ModuleLayer.boot().findModule("jdk.httpserver");
        server.ifPresent(m -> instrumentation.redefineModule(m, Set.of(),
                Map.of(ownPackage, Set.of(ServerModule.class.getModule())), Map.of(), Set.of(), Map.of()));
        return server.isPresent();
    }
}
