package dev.remora.git;

import dev.remora.fault.Fault;
import dev.remora.fault.FaultCode;
import dev.remora.fault.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The JDK's HTTP client, reaching a server the way a [Transport] says.
final class AppHttpClient {
    private AppHttpClient() {}

    static HttpClient open(Transport transport, Duration time) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .connectTimeout(time)
                .followRedirects(HttpClient.Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1);
        transport.certificateAuthority().ifPresent(pem -> builder.sslContext(trusting(pem)));
        transport.proxy().ifPresent(proxy -> builder.proxy(selector(proxy)));
        return builder.build();
    }

    private static ProxySelector selector(Secret proxy) {
        try {
            URI uri = URI.create(proxy.reveal());
            return ProxySelector.of(new InetSocketAddress(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort()));
        } catch (IllegalArgumentException e) {
            throw new Fault(FaultCode.GIT_CREDENTIALS, "the proxy is no URL such as http://proxy.example.com:3128");
        }
    }

    private static SSLContext trusting(String pem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int count = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)))) {
                store.setCertificateEntry("ca-" + count++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new Fault(
                    FaultCode.GIT_CREDENTIALS, "the certificate authority cannot be read: " + Fault.words(e), e);
        }
    }
}
