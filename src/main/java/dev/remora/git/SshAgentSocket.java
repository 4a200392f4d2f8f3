package dev.remora.git;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/// An SSH agent with one key (draft-ietf-sshm-ssh-agent): `ssh` sends what is to be signed, so the private key stays
/// in our memory and is never a file.
final class SshAgentSocket implements AutoCloseable {
    private static final int LONGEST_MESSAGE = 256 << 10;
    private static final int FAILURE = 5;
    private static final int LIST = 11;
    private static final int LISTED = 12;
    private static final int SIGN = 13;
    private static final int SIGNED = 14;

    private final SshIdentity identity;
    private final PrivateSocket socket;

    SshAgentSocket(Path path, SshIdentity identity) {
        this.identity = identity;
        this.socket = PrivateSocket.open(path, this::converse);
    }

    Path path() {
        return socket.path();
    }

    private void converse(InputStream input, OutputStream output) throws IOException {
        DataInputStream in = new DataInputStream(input);
        DataOutputStream out = new DataOutputStream(output);
        while (true) {
            int length;
            try {
                length = in.readInt();
            } catch (java.io.EOFException end) {
                return;
            }
            if (length < 1 || length > LONGEST_MESSAGE) {
                return;
            }
            byte[] message = new byte[length];
            in.readFully(message);
            byte[] answer = answer(message);
            out.writeInt(answer.length);
            out.write(answer);
            out.flush();
        }
    }

    private byte[] answer(byte[] message) throws IOException {
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(message));
        int type = fields.readUnsignedByte();
        if (type == LIST) {
            return tagged(LISTED, new byte[] {0, 0, 0, 1}, SshIdentity.fields(identity.blob(), new byte[0]));
        }
        if (type == SIGN && Arrays.equals(SshIdentity.string(fields), identity.blob())) {
            byte[] data = SshIdentity.string(fields);
            int flags = fields.readInt();
            try {
                return tagged(SIGNED, new byte[0], SshIdentity.fields(identity.sign(data, flags)));
            } catch (GeneralSecurityException e) {
                return new byte[] {FAILURE};
            }
        }
        return new byte[] {FAILURE};
    }

    private static byte[] tagged(int type, byte[] first, byte[] second) {
        byte[] all = new byte[1 + first.length + second.length];
        all[0] = (byte) type;
        System.arraycopy(first, 0, all, 1, first.length);
        System.arraycopy(second, 0, all, 1 + first.length, second.length);
        return all;
    }

    @Override
    public void close() {
        socket.close();
    }
}
