import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

/** What the cases need of an OpenID provider: its address, and people with browsers. */
export interface Subject {
  readonly issuer: URL;
  /** A browser in which nobody is logged in. */
  person(name: string): Person;
  /** What the app `LOGOUT_CLIENT` hears of the ends of sessions. */
  readonly logouts: LogoutInbox;
  close(): Promise<void>;
}

/** A person who logs in where the provider asks for it, allows what is asked, and confirms a logout. */
export interface Person {
  /** Follows the address until the browser is led to the app, or a page says why not. */
  visit(url: URL, method?: 'GET' | 'POST'): Promise<Visit>;
}

export interface Visit {
  /** Where the app got its answer; null if a page of the provider is the end. */
  readonly answer: URL | null;
  readonly status: number;
  /** How often the person had to log in. */
  readonly logins: number;
  /** Whether the person was asked before a logout. */
  readonly confirmed: boolean;
}

export const CLIENT = { id: 'certified', secret: 'a secret of the certified client' };
export const POST_CLIENT = { id: 'certified-post', secret: 'a secret of the other client' };
export const LOGOUT_CLIENT = { id: 'certified-logout', secret: 'a secret of the client that hears of logouts' };
export const CALLBACK = 'https://client.example/callback';
export const BYE = 'https://client.example/bye';

/** The clocks of the providers and of the client are one. */
export function passTime(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

/** A server on loopback with an origin that is known before it answers. */
export async function listen(): Promise<{
  readonly issuer: URL;
  readonly server: Server;
  answer(by: RequestListener): void;
}> {
  let answer: RequestListener = (_, res) => void res.writeHead(503).end();
  const server = createServer((req, res) => answer(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = new URL(`http://localhost:${(server.address() as AddressInfo).port}`);
  return { issuer, server, answer: (by) => (answer = by) };
}

export async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** The address of an app for back-channel logouts. */
export interface LogoutInbox {
  readonly uri: string;
  /** The forms that came, oldest first. */
  readonly forms: readonly URLSearchParams[];
  close(): Promise<void>;
}

export async function logoutInbox(): Promise<LogoutInbox> {
  const forms: URLSearchParams[] = [];
  const { issuer, server, answer } = await listen();
  const receive = async (req: IncomingMessage, res: ServerResponse) => {
    forms.push(new URLSearchParams(await text(req)));
    res.writeHead(200, { 'cache-control': 'no-store' }).end();
  };
  answer((req, res) => void receive(req, res));
  return { uri: `${issuer.origin}/backchannel_logout`, forms, close: () => stop(server) };
}

/** One request of a browser: a link, or a form with the fields of the query. */
export async function request(url: URL, method: 'GET' | 'POST', headers: Record<string, string>): Promise<Response> {
  const isForm = method === 'POST';
  return fetch(isForm ? new URL(url.pathname, url) : url, {
    method,
    redirect: 'manual',
    headers: { accept: 'text/html', ...headers },
    ...(isForm ? { body: url.searchParams } : {}),
  });
}
