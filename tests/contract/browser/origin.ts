import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceivedRequest, TransportHarness } from '../transport.contract.ts';
import type { Request } from './bridge.ts';

/** What the page may do, so that the adapters are shown to need no more: one Trusted Types policy, and no inline script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' https://www.google.com https://accounts.google.com https://cdn.example.com",
  "connect-src 'self'",
  "frame-src 'self' https://elsewhere.example http://localhost:3000",
  "form-action 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types portico',
].join('; ');

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Contracts</title><script type="module" src="/page.js"></script>';
const BLANK = '<!doctype html><meta charset="utf-8"><title>Blank</title>';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
}

/** The origin that the page comes from: on loopback, so that it is a secure context. */
export class Origin {
  answer: Parameters<TransportHarness['serve']>[0] = 'broken';
  received: ReceivedRequest[] = [];
  /** What was sent by a page that was being left, and not broken off. */
  readonly farewells: string[] = [];
  private readonly server: Server;

  private constructor(
    private readonly script: string,
    private readonly handle: (request: Request) => Promise<unknown>,
  ) {
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async start(script: string, handle: (request: Request) => Promise<unknown>): Promise<Origin> {
    const origin = new Origin(script, handle);
    await new Promise<void>((resolve) => void origin.server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  /** `localhost`, not an address: passkeys are bound to names. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => void this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A browser sends again what was lost on a kept connection; the transport's suite counts requests.
    response.setHeader('connection', 'close');
    const body = await bodyOf(request);
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const html = { 'content-type': 'text/html' };
    if (pathname === '/anything') this.serveAnything(request, response, body);
    else if (pathname === '/bridge') await this.serveBridge(response, body);
    else if (pathname === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(this.script);
    else if (pathname === '/') response.writeHead(200, { ...html, 'content-security-policy': POLICY }).end(PAGE);
    else if (pathname === '/blank') response.writeHead(200, html).end(BLANK);
    else if (pathname === '/farewell') {
      // A request that a page takes with it into its grave is broken off by then.
      await new Promise((resolve) => void setTimeout(resolve, 300));
      if (!response.destroyed) this.farewells.push(body);
      response.writeHead(204).end();
    } else response.writeHead(204).end();
  }

  private async serveBridge(response: ServerResponse, body: string): Promise<void> {
    try {
      response.writeHead(200).end(JSON.stringify((await this.handle(JSON.parse(body) as Request)) ?? null));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  private serveAnything(request: IncomingMessage, response: ServerResponse, body: string): void {
    const cookie = /(?:^|; )kept=([^;]*)/u.exec(request.headers.cookie ?? '')?.[1] ?? null;
    const headers = request.headers as ReceivedRequest['headers'];
    this.received.push({ method: request.method ?? '', headers, body, cookie });
    const { answer } = this;
    if (answer === 'open') return;
    if (answer === 'broken') request.socket.destroy();
    else response.writeHead(answer.status, answer.headers).end(answer.text);
  }
}
