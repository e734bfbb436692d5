# For `workerd serve`. On a hosting platform these bindings stand in its own configuration.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "app", worker = (
      modules = [(name = "worker", esModule = embed "build/worker.js")],
      compatibilityDate = "2026-11-01",
      bindings = [
        (name = "PORTICO_API_URL", fromEnvironment = "PORTICO_API_URL"),
        (name = "PORTICO_PROJECT_ID", fromEnvironment = "PORTICO_PROJECT_ID"),
        (name = "PORTICO_PUBLIC_TOKEN", fromEnvironment = "PORTICO_PUBLIC_TOKEN"),
      ],
    )),
    # The local provider is on this machine. A public one needs `allow = ["public"]`, and its certificate.
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "app")],
);
