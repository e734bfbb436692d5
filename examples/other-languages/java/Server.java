// A small server that uses Portico.java, with the JDK alone.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

final class Server {
    interface Route {
        Object answer(String method, Map<String, String> headers) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        serve(server, "/session", (method, headers) -> Portico.sessionOf(method, headers, null));
        serve(server, "/drafts", (method, headers) -> Portico.sessionOf(method, headers, "editor"));
        serve(server, "/notes", (method, headers) -> Portico.accessOf(headers, "notes:read"));
        server.start();
    }

    private static void serve(HttpServer server, String path, Route route) {
        server.createContext(path, exchange -> {
            Map<String, String> headers = new HashMap<>();
            exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(), String.join("; ", values)));
            try {
                send(exchange, 200, route.answer(exchange.getRequestMethod(), headers).toString());
            } catch (Portico.Refused refused) {
                send(exchange, refused.status, refused.getMessage());
            } catch (Exception error) {
                send(exchange, 500, error.toString());
            }
        });
    }

    private static void send(HttpExchange exchange, int status, String body) throws java.io.IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
