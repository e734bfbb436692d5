import type { ServerResponse } from 'node:http';

/**
 * Whether the server is about to stop. It still answers every request, but `/readyz` fails and every answer closes its
 * connection, so that load balancers and clients move to another process before this one ends.
 */
export class ConnectionDrain {
  private readonly open = new Set<ServerResponse>();
  private begun = false;

  get active(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
    for (const response of this.open) response.shouldKeepAlive = false;
    this.open.clear();
  }

  /** Makes the response close its connection if the server drains before the response is sent. */
  follow(response: ServerResponse): void {
    if (this.begun) {
      response.shouldKeepAlive = false;
      return;
    }
    this.open.add(response);
    response.once('close', () => this.open.delete(response));
  }
}
