package io.tempolimit.weave;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Puts the calls of the bridge into a class's methods. A gate becomes
 *
 * <pre>
 *   Object r = TempolimitBridge.enter(hook, MethodHandles.lookup(), this, new Object[] {args, fields});
 *   if (r != null) return (T) r;
 * </pre>
 *
 * and a watch
 *
 * <pre>
 *   Object call = TempolimitBridge.enter(…);
 *   try { …, at each return: return (T) TempolimitBridge.exit(call, result); }
 *   catch (Throwable t) { throw TempolimitBridge.fail(call, t); }
 * </pre>
 *
 * Where only writes matter that may begin a request, {@code TempolimitBridge.begins(args)} is asked before.
 *
 * <p>Frames are written by hand: to compute them would load classes in the middle of loading one. Not thread-safe.
 */
final class Weaver {
    private static final String BRIDGE = "java/lang/TempolimitBridge";
    private static final String OBJECT = "java/lang/Object";
    /** Class files newer than this are read as if they were this: what is added needs nothing newer. */
    private static final int NEWEST = Opcodes.V21;

    /** Java 8 gives classes of {@code sun.*} and {@code java.*} no lookup of their own; they get the public one. */
    private static final boolean JAVA_8 = System.getProperty("java.specification.version").startsWith("1.");

    private final byte[] original;
    private final List<Numbered> sites;
    private final Map<String, String> fields = new HashMap<>();
    private final Map<String, Integer> maxLocals = new HashMap<>();
    private String owner;
    private boolean frames;

    /** A site with its number. */
    static final class Numbered {
        final Site site;
        final int number;
        boolean found;

        Numbered(Site site, int number) {
            this.site = site;
            this.number = number;
        }
    }

    /** @param sites all of the class's; after {@link #weave} each knows whether it was found */
    Weaver(byte[] original, List<Numbered> sites) {
        this.original = original;
        this.sites = sites;
    }

    /** The woven class. */
    byte[] weave() {
        int major = (original[6] & 255) << 8 | original[7] & 255;
        byte[] readable = original;
        if (major > NEWEST) {
            readable = original.clone();
            readable[6] = 0;
            readable[7] = (byte) NEWEST;
        }
        frames = major >= Opcodes.V1_6;
        ClassReader reader = new ClassReader(readable);
        owner = reader.getClassName();
        reader.accept(new Survey(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Woven(writer), ClassReader.EXPAND_FRAMES);
        byte[] woven = writer.toByteArray();
        woven[6] = original[6];
        woven[7] = original[7];
        return woven;
    }

    private Numbered siteOf(int access, String name, String descriptor) {
        if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) != 0) {
            return null;
        }
        for (Numbered n : sites) {
            if (n.site.matches(name, descriptor)) {
                return n;
            }
        }
        return null;
    }

    /** Looks for the fields, and for how many local variables the methods have. */
    private final class Survey extends ClassVisitor {
        Survey() {
            super(Opcodes.ASM9);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            fields.put(name, descriptor);
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            if (siteOf(access, name, descriptor) == null) {
                return null;
            }
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMaxs(int maxStack, int locals) {
                    maxLocals.put(name + descriptor, locals);
                }
            };
        }
    }

    private final class Woven extends ClassVisitor {
        Woven(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
            Numbered n = siteOf(access, name, descriptor);
            if (n == null || !hasFields(n.site)) {
                return next;
            }
            n.found = true;
            return new Method(next, n, access, descriptor, maxLocals.get(name + descriptor));
        }

        private boolean hasFields(Site site) {
            for (String field : site.fields) {
                if (field.indexOf(':') < 0 && !fields.containsKey(field)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final class Method extends MethodVisitor {
        private final Numbered hook;
        private final boolean watch;
        private final boolean isStatic;
        private final Type[] arguments;
        private final Type result;
        /** The local variable that holds the call: the first that the method itself does not use. */
        private final int call;
        private final Label start = new Label();

        Method(MethodVisitor next, Numbered hook, int access, String descriptor, int maxLocals) {
            super(Opcodes.ASM9, next);
            this.hook = hook;
            this.watch = hook.site.watch;
            this.isStatic = (access & Opcodes.ACC_STATIC) != 0;
            this.arguments = Type.getArgumentTypes(descriptor);
            this.result = Type.getReturnType(descriptor);
            this.call = maxLocals;
            if (!watch && !hook.site.ofRequests && boxed(result) != null) {
                throw new IllegalStateException("a gate can answer with an object or nothing, not with what " + hook.site + " returns");
            }
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Label none = new Label();
            if (hook.site.ofRequests) {
                if (watch) {
                    super.visitInsn(Opcodes.ACONST_NULL);
                    super.visitVarInsn(Opcodes.ASTORE, call);
                }
                pushWritten();
                super.visitJumpInsn(Opcodes.IFEQ, none);
            }
            enter();
            if (watch) {
                super.visitVarInsn(Opcodes.ASTORE, call);
            } else if (hook.site.ofRequests) {
                super.visitInsn(Opcodes.POP);
            } else {
                gate();
            }
            if (hook.site.ofRequests) {
                super.visitLabel(none);
                if (frames) {
                    Object[] locals = initialLocals();
                    visitFrame(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]);
                }
                super.visitInsn(Opcodes.NOP); // the method may begin with a frame of its own
            }
            if (watch) {
                super.visitLabel(start);
            }
        }

        /** Asks whether the first arguments may begin a request. */
        private void pushWritten() {
            int n = arguments[0].getDescriptor().equals("Ljava/nio/ByteBuffer;") ? 1 : 3;
            StringBuilder descriptor = new StringBuilder("(");
            int local = isStatic ? 0 : 1;
            for (int i = 0; i < n; i++) {
                super.visitVarInsn(arguments[i].getOpcode(Opcodes.ILOAD), local);
                descriptor.append(arguments[i].getDescriptor());
                local += arguments[i].getSize();
            }
            super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, "begins", descriptor.append(")Z").toString(), false);
        }

        private void enter() {
            push(hook.number);
            boolean none = JAVA_8 && (owner.startsWith("sun/") || owner.startsWith("java/"));
            super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/invoke/MethodHandles", none ? "publicLookup" : "lookup",
                    "()Ljava/lang/invoke/MethodHandles$Lookup;", false);
            if (isStatic) {
                super.visitInsn(Opcodes.ACONST_NULL);
            } else {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            }
            pushArray();
            super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, "enter",
                    "(ILjava/lang/invoke/MethodHandles$Lookup;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", false);
        }

        private void gate() {
            Label goOn = new Label();
            super.visitInsn(Opcodes.DUP);
            super.visitJumpInsn(Opcodes.IFNULL, goOn);
            if (result.getSort() == Type.VOID) {
                super.visitInsn(Opcodes.POP);
                super.visitInsn(Opcodes.RETURN);
            } else {
                super.visitTypeInsn(Opcodes.CHECKCAST, result.getInternalName());
                super.visitInsn(Opcodes.ARETURN);
            }
            super.visitLabel(goOn);
            if (frames) {
                Object[] locals = initialLocals();
                super.visitFrame(Opcodes.F_NEW, locals.length, locals, 1, new Object[] {OBJECT});
            }
            super.visitInsn(Opcodes.POP);
        }

        private void pushArray() {
            String[] wanted = hook.site.fields;
            push(arguments.length + wanted.length);
            super.visitTypeInsn(Opcodes.ANEWARRAY, OBJECT);
            int local = isStatic ? 0 : 1;
            for (int i = 0; i < arguments.length; i++) {
                super.visitInsn(Opcodes.DUP);
                push(i);
                super.visitVarInsn(arguments[i].getOpcode(Opcodes.ILOAD), local);
                box(arguments[i]);
                super.visitInsn(Opcodes.AASTORE);
                local += arguments[i].getSize();
            }
            for (int i = 0; i < wanted.length; i++) {
                int colon = wanted[i].indexOf(':');
                String name = colon < 0 ? wanted[i] : wanted[i].substring(0, colon);
                String type = colon < 0 ? fields.get(name) : wanted[i].substring(colon + 1);
                super.visitInsn(Opcodes.DUP);
                push(arguments.length + i);
                super.visitVarInsn(Opcodes.ALOAD, 0);
                super.visitFieldInsn(Opcodes.GETFIELD, owner, name, type);
                box(Type.getType(type));
                super.visitInsn(Opcodes.AASTORE);
            }
        }

        private void push(int value) {
            super.visitIntInsn(Opcodes.SIPUSH, value);
        }

        private void box(Type type) {
            String boxed = boxed(type);
            if (boxed != null) {
                super.visitMethodInsn(Opcodes.INVOKESTATIC, boxed, "valueOf", "(" + type.getDescriptor() + ")L" + boxed + ";", false);
            }
        }

        private void unbox(Type type) {
            String boxed = boxed(type);
            super.visitTypeInsn(Opcodes.CHECKCAST, boxed == null ? type.getInternalName() : boxed);
            if (boxed != null) {
                super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, boxed, type.getClassName() + "Value", "()" + type.getDescriptor(), false);
            }
        }

        private String boxed(Type type) {
            switch (type.getSort()) {
                case Type.BOOLEAN: return "java/lang/Boolean";
                case Type.CHAR: return "java/lang/Character";
                case Type.BYTE: return "java/lang/Byte";
                case Type.SHORT: return "java/lang/Short";
                case Type.INT: return "java/lang/Integer";
                case Type.FLOAT: return "java/lang/Float";
                case Type.LONG: return "java/lang/Long";
                case Type.DOUBLE: return "java/lang/Double";
                default: return null;
            }
        }

        private Object[] initialLocals() {
            Object[] locals = new Object[arguments.length + (isStatic ? 0 : 1)];
            int i = 0;
            if (!isStatic) {
                locals[i++] = owner;
            }
            for (Type type : arguments) {
                locals[i++] = verificationType(type);
            }
            return locals;
        }

        private Object verificationType(Type type) {
            switch (type.getSort()) {
                case Type.FLOAT: return Opcodes.FLOAT;
                case Type.LONG: return Opcodes.LONG;
                case Type.DOUBLE: return Opcodes.DOUBLE;
                case Type.ARRAY:
                case Type.OBJECT: return type.getInternalName();
                default: return Opcodes.INTEGER;
            }
        }

        /** A watched method's frames all have one more local. */
        @Override
        public void visitFrame(int type, int count, Object[] locals, int stackCount, Object[] stack) {
            if (!watch) {
                super.visitFrame(type, count, locals, stackCount, stack);
                return;
            }
            Object[] more = new Object[call + 1];
            int n = 0;
            int slots = 0;
            for (; n < count; n++) {
                more[n] = locals[n];
                slots += locals[n] == Opcodes.LONG || locals[n] == Opcodes.DOUBLE ? 2 : 1;
            }
            while (slots++ < call) {
                more[n++] = Opcodes.TOP;
            }
            more[n++] = OBJECT;
            super.visitFrame(type, n, more, stackCount, stack);
        }

        @Override
        public void visitInsn(int opcode) {
            if (watch && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                exit();
            }
            super.visitInsn(opcode);
        }

        private void exit() {
            if (result.getSort() == Type.INT || result.getSort() == Type.LONG) {
                String type = result.getDescriptor();
                super.visitVarInsn(Opcodes.ALOAD, call);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, "exit", "(" + type + "Ljava/lang/Object;)" + type, false);
                return;
            }
            if (result.getSort() == Type.VOID) {
                super.visitInsn(Opcodes.ACONST_NULL);
            } else {
                box(result);
            }
            super.visitVarInsn(Opcodes.ALOAD, call);
            super.visitInsn(Opcodes.SWAP);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, "exit", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;", false);
            if (result.getSort() == Type.VOID) {
                super.visitInsn(Opcodes.POP);
            } else {
                unbox(result);
            }
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            if (watch) {
                Label handler = new Label();
                super.visitTryCatchBlock(start, handler, handler, "java/lang/Throwable"); // last, so behind the method's own
                super.visitLabel(handler);
                if (frames) {
                    visitFrame(Opcodes.F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
                }
                super.visitVarInsn(Opcodes.ALOAD, call);
                super.visitInsn(Opcodes.SWAP);
                super.visitMethodInsn(Opcodes.INVOKESTATIC, BRIDGE, "fail",
                        "(Ljava/lang/Object;Ljava/lang/Throwable;)Ljava/lang/Object;", false);
                if (result.getSort() == Type.VOID) {
                    super.visitInsn(Opcodes.POP);
                } else {
                    unbox(result);
                }
                super.visitInsn(result.getOpcode(Opcodes.IRETURN));
            }
            super.visitMaxs(maxStack, maxLocals);
        }
    }
}
