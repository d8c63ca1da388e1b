package io.tempolimit.weave;

import java.lang.invoke.MethodHandles;

/**
 * What happens at a woven method. Subclasses are loaded beside the client whose types they use, have a constructor that
 * takes a {@link Gate}, and are thread-safe.
 *
 * <p>Any exception but a {@link io.tempolimit.RequestRejectedException} and a {@link Refusal} is taken for an error of
 * ours: it is reported, and the method runs as if it were not woven.
 */
public abstract class Hook {
    /**
     * The method was called.
     *
     * @param lookup the woven class's own lookup, which reaches all that the class itself may
     * @param self   the object; null for a static method
     * @param args   the arguments, then the fields that the site names
     * @return null to go on. A gate may return what to answer in place of the method (anything for a void one); a watch,
     *     a {@link Call} that wants to know how the method ends
     */
    public abstract Object enter(MethodHandles.Lookup lookup, Object self, Object[] args) throws Exception;
}
