package dev.penstock.enginesim.openai;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/** A unit vector that depends on its input's key alone. */
public final class Embedding {
    private final float[] values;

    private Embedding(float[] values) {
        this.values = values;
    }

    public static Embedding of(long key, int dimensions) {
        float[] values = new float[dimensions];
        double squares = 0;
        for (int i = 0; i < dimensions; i++) {
            double value = unit(key + i) * 2 - 1;
            values[i] = (float) value;
            squares += value * value;
        }
        double length = squares == 0 ? 1 : Math.sqrt(squares);
        for (int i = 0; i < dimensions; i++) {
            values[i] = (float) (values[i] / length);
        }
        return new Embedding(values);
    }

    /** A number in [0, 1) that depends on its key alone. */
    public static double unit(long key) {
        // The top 53 bits make a double in [0, 1).
        return (Words.mix(key) >>> 11) * 0x1.0p-53;
    }

    /** A JSON array, or base64 of little-endian floats, which SDKs ask for. */
    public void append(StringBuilder out, boolean base64) {
        if (base64) {
            ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(values);
            out.append('"')
                    .append(Base64.getEncoder().encodeToString(bytes.array()))
                    .append('"');
            return;
        }
        for (int i = 0; i < values.length; i++) {
            out.append(i == 0 ? '[' : ',').append(values[i]);
        }
        out.append(']');
    }
}
