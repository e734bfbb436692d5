/**
 * Serves the relying party of the demo on its own origin.
 *
 * - what a browser holds here is found by a cookie that no script reads, and kept in memory;
 * - whatever changes something is a POST of this very origin;
 * - binds to loopback only.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { htmlOf, refused, signedIn, STYLE, WELCOME, type Page } from './pages.ts';
import { SignIn, Visitor } from './sign-in.ts';

const COOKIE = 'planner';
const MAX_VISITORS = 1_000;

const POLICY = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'";

type Route = (visitor: Visitor, url: URL, response: ServerResponse) => unknown;

interface RelyingPartyOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly issuer: string;
  /** The demo that this app is a part of: its pages then say so, and link back. */
  readonly demoUrl?: string;
}

interface Served {
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function serveRelyingParty({ port, issuer, demoUrl }: RelyingPartyOptions): Promise<Served> {
  const visitors = new Map<string, Visitor>();
  let origin = '';
  let signIn = new SignIn(issuer, origin);

  /** The browser behind the request; a new one gets a cookie. */
  const visitorOf = (request: IncomingMessage, response: ServerResponse): Visitor => {
    const id = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
    const known = visitors.get(id ?? '');
    if (known !== undefined) return known;
    const fresh = randomBytes(24).toString('base64url');
    const visitor = new Visitor();
    visitors.set(fresh, visitor);
    const [oldest = ''] = visitors.keys();
    if (visitors.size > MAX_VISITORS) visitors.delete(oldest);
    response.setHeader('Set-Cookie', `${COOKIE}=${fresh}; Path=/; HttpOnly; SameSite=Lax`);
    return visitor;
  };

  const show = (response: ServerResponse, status: number, page: Page): unknown =>
    response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(htmlOf(page, demoUrl));
  const go = (response: ServerResponse, url: string): unknown => response.writeHead(303, { Location: url }).end();

  const routes: Readonly<Record<string, Route>> = {
    'GET /': (visitor, _, response) => show(response, 200, visitor.account ? signedIn(visitor.account) : WELCOME),
    'GET /style.css': (_visitor, _, response) =>
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(STYLE),
    'GET /favicon.ico': (_visitor, _, response) => response.writeHead(204).end(),
    'POST /sign-in': async (visitor, _, response) => go(response, await signIn.begin(visitor)),
    'GET /callback': async (visitor, url, response) => {
      // The browser's back button leads here again. The answer in the address is spent, so it is not looked at.
      const isBack = visitor.begun === null && visitor.account !== null;
      if (!isBack) await signIn.finish(visitor, url);
      go(response, '/');
    },
    'POST /log-out': async (visitor, _, response) => go(response, await signIn.leave(visitor)),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Under `no-referrer` a browser posts this app's own forms with `Origin: null`.
    response.setHeader('Referrer-Policy', 'same-origin');
    response.setHeader('Cache-Control', 'no-store');
    // Resolved against the origin, `//[` would be no address, and `//evil.example/` one of another server.
    const address = `${origin}${request.url}`;
    const url = URL.canParse(address) ? new URL(address) : null;
    const route = url === null ? undefined : routes[`${request.method} ${url.pathname}`];
    if (url === null || !route) {
      show(response, 404, refused('not_found', 'There is no such page.'));
      return;
    }
    if (request.method === 'POST' && request.headers.origin !== origin) {
      show(response, 403, refused('forbidden', 'This did not come from this app.'));
      return;
    }
    const visitor = visitorOf(request, response);
    try {
      await visitor.inTurn(() => route(visitor, url, response));
    } catch (error) {
      // openid-client puts the RFC's `error` on what it throws, and its own words in `message`.
      const told = error as Error & { error?: string; code?: string; error_description?: string };
      const name = told.error ?? told.code ?? 'sign_in_failed';
      show(response, 400, refused(name, told.error_description ?? told.message));
    }
  };
  const server = createServer((request, response) => void answer(request, response)).listen(port, 'localhost');
  await once(server, 'listening');
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  signIn = new SignIn(issuer, origin);
  return {
    url: origin,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
