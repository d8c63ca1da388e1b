package io.tempolimit.weave;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;

/**
 * How a copy of a client is named, for its hooks: they are compiled against the client's own names, and read with those of the copy.
 * All names in a class file are text constants, to which everything else refers by number; so to move a name is to change a text.
 * Immutable.
 */
final class Relocation {
    private static final int UTF8 = 1;

    /** Packages, with slashes. */
    private final String[] from;
    private final String[] to;

    private Relocation(String[] from, String[] to) {
        this.from = from;
        this.to = to;
    }

    /** @param root where the copy is, with slashes */
    static Relocation of(Client client, String root, ClassLoader loader) {
        if (client.library == null) {
            return new Relocation(new String[] {client.hooksRoot}, new String[] {root});
        }
        return new Relocation(new String[] {client.hooksRoot, client.library[0]}, new String[] {root, libraryRoot(client, root, loader)});
    }

    private static String libraryRoot(Client client, String root, ClassLoader loader) {
        String below = client.library[1].substring(client.library[0].length());
        try {
            for (Method m : Class.forName(Hooks.there(client.library[2], client, root), false, loader).getMethods()) {
                String type = m.getReturnType().getName().replace('.', '/');
                if (m.getName().equals(client.library[3]) && type.endsWith("/" + below)) {
                    return type.substring(0, type.length() - below.length());
                }
            }
        } catch (ClassNotFoundException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        return client.library[0]; // a version without the method, which is told of by whoever needs it
    }

    /** The class, with the names of the copy. */
    byte[] apply(byte[] classFile) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length + 1024);
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong());
        int constants = in.readUnsignedShort();
        out.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            if (tag == UTF8) {
                out.writeUTF(moved(in.readUTF()));
            } else {
                copy(in, out, length(tag));
                i += tag == 5 || tag == 6 ? 1 : 0; // a long or a double counts twice
            }
        }
        copy(in, out, in.available());
        return bytes.toByteArray();
    }

    /** How long the constant is behind its tag, by the specification of class files. */
    private static int length(int tag) {
        switch (tag) {
            case 7: case 8: case 16: case 19: case 20: return 2;
            case 15: return 3;
            case 3: case 4: case 9: case 10: case 11: case 12: case 17: case 18: return 4;
            case 5: case 6: return 8;
            default: throw new IllegalStateException("no constant has tag " + tag);
        }
    }

    private static void copy(DataInputStream in, DataOutputStream out, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        out.write(bytes);
    }

    /** The text, if it is a class's name (hooks have some with dots, to look for) or a descriptor. */
    private String moved(String text) {
        String moved = text;
        for (int i = 0; i < from.length; i++) {
            String dots = from[i].replace('/', '.');
            moved = moved.startsWith(dots) ? to[i].replace('/', '.') + moved.substring(dots.length()) : moved(moved, from[i], to[i]);
        }
        return moved;
    }

    private static String moved(String text, String from, String to) {
        StringBuilder moved = new StringBuilder();
        int done = 0;
        for (int at; (at = text.indexOf(from, done)) >= 0; done = at + from.length()) {
            boolean begins = at == 0 || text.charAt(at - 1) == 'L'; // of a descriptor's type
            moved.append(text, done, at).append(begins ? to : from);
        }
        return moved.append(text, done, text.length()).toString();
    }
}
