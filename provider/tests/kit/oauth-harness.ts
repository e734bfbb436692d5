import { createHash } from 'node:crypto';
import type { OAuthProvider, OAuthStartOptions } from '#domain/social/oauth-providers.ts';
import { oauthStartAddress, oauthStartFields, oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import { CookieJarOfBrowser } from './cookie-jar.ts';
import { PUBLIC_TOKEN, type Provider } from './harness.ts';

export const ORIGIN = 'http://localhost:4100';
export const VERIFIER = 'v'.repeat(64);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const HTML = { accept: 'text/html,application/xhtml+xml' };

export interface Choice {
  readonly account?: string;
  readonly email?: string;
  readonly verified?: 'yes';
  readonly two_factors?: 'yes';
  readonly deny?: 'yes';
}

/** A browser without a script: it goes where it is sent, presses what a page offers, and keeps cookies. */
export function browser(provider: Provider) {
  const jar = new CookieJarOfBrowser();
  const request = async (
    url: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ): Promise<Response> => {
    const cookie = jar.sentTo(url);
    const reply = await provider.app.request(url, { ...init, headers: { ...init.headers, cookie } });
    jar.receive(url, reply.headers.getSetCookie());
    return reply;
  };
  const get = async (url: string, headers: Record<string, string> = HTML): Promise<Response> =>
    request(url, { headers });

  return {
    get,

    /** As `get` and `post` without what a page adds, so that a refusal is JSON. */
    request,

    /** Submits a form with these fields, as a page of that origin does. */
    async post(url: string, fields: Readonly<Record<string, string>>, origin = ORIGIN): Promise<Response> {
      return request(url, {
        method: 'POST',
        headers: { ...HTML, origin },
        body: new URLSearchParams(fields),
      });
    },

    async start(
      type: OAuthProvider,
      options: OAuthStartOptions & { readonly code_challenge?: string } = {},
    ): Promise<Response> {
      if (options.method === 'GET' || (options.method !== 'POST' && options.oauth_attach_token === undefined))
        return get(oauthStartUrl(ORIGIN, PUBLIC_TOKEN, type, options));
      return this.post(
        oauthStartAddress(ORIGIN, type),
        oauthStartFields(PUBLIC_TOKEN, options),
        'https://shop.example',
      );
    },

    /** Submits the form of the page with that choice. */
    async choose(page: string, choice: Choice): Promise<Response> {
      const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu)];
      const fields = new Map(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
      const action = /<form method="post" action="([^"]*)"/u.exec(page)?.[1] ?? '';
      return this.post(`${ORIGIN}${action}`, { ...Object.fromEntries(fields), ...choice });
    },

    /** The address that the provider sends the browser back to, with its code or error. */
    async callback(
      type: OAuthProvider,
      choice: Choice,
      options: Parameters<typeof this.start>[1] = {},
    ): Promise<string> {
      const started = await this.start(type, options);
      const page = await get(started.headers.get('location') ?? '');
      return (await this.choose(await page.text(), choice)).headers.get('location') ?? '';
    },

    /** The address in the host's site that a whole login ends at. */
    async login(type: OAuthProvider, choice: Choice, options: Parameters<typeof this.start>[1] = {}): Promise<URL> {
      const finished = await get(await this.callback(type, choice, options));
      if (finished.status !== 303) throw new Error(await finished.text());
      return new URL(finished.headers.get('location') ?? '');
    },

    async token(type: OAuthProvider, choice: Choice, options: Parameters<typeof this.start>[1] = {}): Promise<string> {
      return (await this.login(type, choice, options)).searchParams.get('token') ?? '';
    },
  };
}
