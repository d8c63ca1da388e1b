package io.tempolimit.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class JmxTest {
    /** A console showed "Operation exposed for management" for each of them. */
    @Test
    void everythingHasADescriptionOfItsOwn() throws Exception {
        Scene scene = new Scene();
        scene.start(scene.options());
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.tempolimit:type=Limiter");
        Jmx.register(scene.limiter, scene.watch);
        try {
            MBeanInfo bean = server.getMBeanInfo(name);
            List<String> said = Stream.of(bean.getAttributes(), bean.getOperations()).flatMap(Stream::of)
                    .map(MBeanFeatureInfo::getDescription).toList();
            assertEquals(10, said.stream().distinct().count(), said::toString);
            assertEquals(List.of(), said.stream().filter(text -> text.contains("exposed for management")).toList());
        } finally {
            server.unregisterMBean(name);
        }
    }
}
