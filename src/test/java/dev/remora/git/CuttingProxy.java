package dev.remora.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Passes connections on to a port of this machine and cuts each after so many bytes of answer.
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int port;
    private volatile int most;
    private volatile boolean stalls;

    private CuttingProxy(ServerSocket listening, int port, int most) {
        this.listening = listening;
        this.port = port;
        this.most = most;
        Thread.ofVirtual().start(this::accept);
    }

    static CuttingProxy start(int port, int most) throws IOException {
        return new CuttingProxy(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()), port, most);
    }

    /// Keeps the connection and lets nothing through any more.
    static CuttingProxy stalling(int port, int most) throws IOException {
        CuttingProxy proxy = start(port, most);
        proxy.stalls = true;
        return proxy;
    }

    int port() {
        return listening.getLocalPort();
    }

    void cutNoMore() {
        most = Integer.MAX_VALUE;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> pass(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Thread.ofVirtual().start(() -> {
                try {
                    client.getInputStream().transferTo(server.getOutputStream());
                } catch (IOException gone) {
                    return;
                }
            });
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            byte[] buffer = new byte[1024];
            int sum = 0;
            for (int count = in.read(buffer); count > 0 && sum < most; count = in.read(buffer)) {
                out.write(buffer, 0, count);
                sum += count;
            }
            while (stalls && sum >= most && !listening.isClosed()) {
                Thread.sleep(20);
            }
        } catch (IOException gone) {
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
