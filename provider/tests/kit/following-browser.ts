import { request as overHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { CookieJarOfBrowser } from './cookie-jar.ts';

/** As browsers mark a link that was followed; `fetch` of Node marks every request as one of a script. */
const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** What a browser shows in the end. */
interface PageReached {
  readonly at: URL;
  readonly status: number;
  readonly text: string;
}

/** A browser that follows every redirect, with cookies. */
export class FollowingBrowser {
  private readonly cookies = new CookieJarOfBrowser();

  /** @param ca the certificate that it trusts; absent: those of this machine */
  constructor(private readonly ca?: string) {}

  /** @param fields of a form; absent: a link */
  async open(address: string, fields?: Readonly<Record<string, string>>): Promise<PageReached> {
    let next = new URL(address);
    let body = fields === undefined ? undefined : new URLSearchParams(fields);
    for (let steps = 0; steps < 12; steps += 1) {
      // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
      const reply = await this.send(next, body);
      const location = reply.headers.get('location');
      // oxlint-disable-next-line no-await-in-loop
      if (location === null) return { at: next, status: reply.status, text: await reply.text() };
      next = new URL(location, next);
      body = undefined;
    }
    throw new Error(`too many redirects, the last to ${next.href}`);
  }

  async send(at: URL, body?: URLSearchParams | string, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = this.cookies.sentTo(at.href);
    // A program prints the address of the login before it listens for the answer.
    const reply = await vi.waitFor(() => request(at, { ...NAVIGATION, ...headers, cookie }, body, this.ca));
    this.cookies.receive(at.href, reply.headers.getSetCookie());
    return reply;
  }
}

async function request(
  at: URL,
  headers: OutgoingHttpHeaders,
  body: URLSearchParams | string | undefined,
  ca: string | undefined,
): Promise<Response> {
  const method = body === undefined ? 'GET' : 'POST';
  const type = body instanceof URLSearchParams ? FORM : {};
  const send = at.protocol === 'https:' ? overHttps : overHttp;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers: { ...type, ...headers }, agent: false, ...(ca === undefined ? {} : { ca }) };
    send(at, options, resolve).on('error', reject).end(body?.toString());
  });
  const given = Object.entries(reply.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const status = reply.statusCode ?? 0;
  const content = await text(reply);
  return new Response([204, 304].includes(status) ? null : content, { status, headers: given });
}
