import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import { verifyHook, type HookRequest } from '#composition/server.ts';
import type { HookName, HookSettings } from '#provider/project/settings/hooks.ts';
import type { Fields } from './harness.ts';

export const HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Answers a request; the body is null for one that the secret did not sign. */
type HookRoute = (request: HookRequest, response: ServerResponse, url: string) => void | Promise<void>;

export const json = (response: ServerResponse, answer: unknown, headers: Fields = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(typeof answer === 'string' ? answer : JSON.stringify(answer));

/** A server of an app that decides about sign-ups and logins, and keeps the requests. It lets everybody in unless told otherwise. */
export class HookServer {
  readonly requests: HookRequest[] = [];
  /** All bodies and headers, also of requests that are not signed. */
  readonly raw: { readonly body: string; readonly headers: IncomingHttpHeaders; readonly url: string }[] = [];
  url = '';
  route: HookRoute = ({ id }, response) => json(response, { id, action: 'allow' });
  private readonly server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => void this.receive(body, request, response));
    response.on('error', () => undefined);
  });

  private async receive(body: string, { headers, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.raw.push({ body, headers, url });
    const hook = await verifyHook(body, headers, { secret: HOOK_SECRET });
    if (hook === null) {
      response.writeHead(401).end();
      return;
    }
    this.requests.push(hook);
    await this.route(hook, response, url);
  }

  /** Answers each request with these fields, and its id. */
  answer(fields: Fields, of?: HookName): void {
    this.route = ({ id, type }, response) =>
      json(response, { id, action: 'allow', ...(of === undefined || type === `hook.${of}` ? fields : {}) });
  }

  types(): readonly string[] {
    return this.requests.map(({ type }) => type);
  }

  forget(): void {
    this.requests.length = 0;
    this.raw.length = 0;
    this.answer({});
  }

  settings(changes: Partial<HookSettings> = {}): HookSettings {
    return { url: this.url, secret: [HOOK_SECRET], on_failure: 'refuse', deadline_ms: PATIENCE_MS, ...changes };
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

/** The hook server of a suite. */
export function suiteHooks(): HookServer {
  const server = new HookServer();
  beforeAll(() => server.start());
  beforeEach(() => server.forget());
  afterAll(() => server.stop());
  return server;
}
