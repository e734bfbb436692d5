import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedRequest, ServedAnswer } from '../../../contract/transport.contract.ts';

/** A real HTTP server on loopback that answers every request as it is told. */
export class LoopbackServer {
  answer: ServedAnswer | 'broken' | 'open' = 'broken';
  readonly received: ReceivedRequest[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<LoopbackServer> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const loopback = new LoopbackServer(server, `http://127.0.0.1:${port}/anything`);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const cookie = /(?:^|; )kept=([^;]*)/u.exec(request.headers.cookie ?? '')?.[1] ?? null;
        const headers = request.headers as ReceivedRequest['headers'];
        loopback.received.push({ method: request.method ?? '', headers, body, cookie });
        const { answer } = loopback;
        if (answer === 'open') return;
        if (answer === 'broken') request.socket.destroy();
        else response.writeHead(answer.status, { connection: 'close', ...answer.headers }).end(answer.text);
      });
    });
    return loopback;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => void this.server.close(resolve));
  }
}
