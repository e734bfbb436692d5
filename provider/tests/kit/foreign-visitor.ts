import type { OAuthStartOptions } from '#domain/social/oauth-providers.ts';
import { oauthStartUrl } from '#domain/social/oauth-start-url.ts';
import { CookieJarOfBrowser } from './cookie-jar.ts';
import type { ForeignProviders } from './foreign-provider.ts';
import { PUBLIC_TOKEN, WITHOUT_PKCE, type Provider } from './harness.ts';
import { CHALLENGED } from './second-step.ts';

/** The address of our server, as browsers know it. */
export const HERE = 'https://auth.example.com';
export const APP = 'https://app.example.com';
const LOOPBACK = 'http://localhost:4100';
const MOST_STEPS = 12;

/** The project of an app that is on the internet. */
export const PRODUCTION = {
  ...WITHOUT_PKCE,
  issuer: HERE,
  origins: [APP],
  redirect_urls: [`${APP}/in`, `${APP}/up`],
  default_login_redirect_url: `${APP}/in`,
  default_signup_redirect_url: `${APP}/up`,
} as const;

type Options = OAuthStartOptions & { readonly code_challenge?: string };

/** A browser that goes wherever it is sent: to our server, to foreign providers, and back to the app, where it stops. */
export function foreignVisitor(provider: Provider, foreign: ForeignProviders) {
  const jar = new CookieJarOfBrowser();

  async function open(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('cookie', jar.sentTo(url));
    const reply = url.startsWith(`${HERE}/`)
      ? // As a proxy forwards it that speaks TLS.
        await provider.app.request(url.replace(HERE, LOOPBACK), { ...init, headers })
      : await foreign.visit(new Request(url, { ...init, headers }));
    jar.receive(url, reply.headers.getSetCookie());
    return reply;
  }

  const visitor = {
    jar,
    open,

    start: async (name: string, options: Options = {}) => open(oauthStartUrl(HERE, PUBLIC_TOKEN, name, options)),

    /** Where our server sends the browser for a login. */
    async leave(name: string, options: Options = {}): Promise<URL> {
      const reply = await visitor.start(name, options);
      if (reply.status !== 303) throw new Error(await reply.text());
      return new URL(reply.headers.get('location') ?? '');
    },

    /** What the provider sends the browser back with: a request to our callback, which is not made yet. */
    answer: async (name: string, options: Options = {}): Promise<Answer> =>
      visitor.goTo((await visitor.leave(name, options)).href),

    /** As `answer`, from a page of the provider. */
    async goTo(page: string): Promise<Answer> {
      let next: Answer = { url: page };
      for (let step = 0; step < MOST_STEPS && !next.url.startsWith(`${HERE}/`); step += 1) {
        const reply = await open(next.url);
        const location = reply.headers.get('location');
        next = location === null ? postedBy(await reply.text()) : { url: new URL(location, next.url).href };
      }
      return next;
    },

    /** Makes that request. */
    send: async ({ url, form }: Answer): Promise<Response> =>
      form === undefined ? open(url) : open(url, { method: 'POST', body: new URLSearchParams(form) }),

    /** The address in the app at which a whole login ends. */
    async login(name: string, options: Options = {}): Promise<URL> {
      const reply = await visitor.send(await visitor.answer(name, options));
      if (reply.status !== 303) throw new Error(`${reply.status} ${await reply.text()}`);
      return new URL(reply.headers.get('location') ?? '');
    },

    /** The reply to the app that redeems the token of a login. */
    async authenticate(name: string, options: Options = {}) {
      const end = await visitor.login(name, options);
      const token = end.searchParams.get('token');
      if (token === null) throw new Error([end.href, ...provider.logged].join('\n'));
      return (await provider.post('/oauth/authenticate', { token, session_duration_minutes: 30, ...CHALLENGED })).data;
    },
  };
  return visitor;
}

export interface Answer {
  readonly url: string;
  /** The fields of the form that the provider's page posts. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The form of a page that posts itself. */
function postedBy(page: string): Answer {
  const url = /<form method="post" action="([^"]*)"/u.exec(page)?.[1];
  if (url === undefined) throw new Error(page.slice(0, 2000));
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/gu)];
  return { url, form: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])) };
}
