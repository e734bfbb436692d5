import { projectFrom } from '#provider/project/settings/project.ts';
import { administer } from './managing.ts';
import { CookieJarOfBrowser } from './cookie-jar.ts';
import { basic, PUBLIC_TOKEN, type Fields, type Provider } from './harness.ts';

export const API = 'https://api.example.com/sdk/v1';
export const PAGE = 'https://app.example.com';
const PAGES = {
  origins: [PAGE, 'https://admin.example.com'],
  redirect_urls: [`${PAGE}/`],
  default_login_redirect_url: `${PAGE}/`,
  default_signup_redirect_url: `${PAGE}/`,
};
const PROFILE = 'trusted-auth-token-profile-test';
const projectOf = (cookies: Fields) =>
  projectFrom(
    {
      ...PAGES,
      issuer: 'https://api.example.com',
      session_cookies: { http_only: true, domain: 'example.com', ...cookies },
      trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
    },
    false,
  );
export const PROJECT = projectOf({});
/** Sessions are bound to browsers that can. */
export const BOUND_PROJECT = projectOf({ device_bound: 'origin' });
export const SITE_BOUND_PROJECT = projectOf({ device_bound: 'site' });

interface PageRequest {
  readonly origin?: string | null;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

export type CookiePage = ReturnType<ReturnType<typeof pagesOf>['openPage']>;

const SESSION_COOKIES = ['stytch_session', 'stytch_session_jwt'];

/** Opens pages of an app whose sessions are in HttpOnly cookies, each in a browser of its own unless a jar is given. */
export function pagesOf(provider: () => Provider) {
  let users = 0;
  const newAddress = (): string => `user-${(users += 1)}@example.com`;
  function openPage(jar = new CookieJarOfBrowser()) {
    const send = async (
      path: string,
      body?: unknown,
      { origin = PAGE, secret, headers, method = 'POST' }: PageRequest = {},
    ) => {
      const url = `${API}${path}`;
      const reply = await provider().app.request(url, {
        method,
        headers: {
          authorization: basic(PUBLIC_TOKEN, secret ?? PUBLIC_TOKEN),
          cookie: jar.sentTo(url),
          ...(origin === null ? {} : { origin }),
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      // The cookie of the browser is no session's.
      const lines = reply.headers.getSetCookie().filter((line) => !line.startsWith('__Host-portico_device='));
      jar.receive(url, lines);
      const text = await reply.text();
      const json = JSON.parse(text) as Fields;
      return {
        status: reply.status,
        type: json['error_type'] as string,
        data: json['data'] as Fields,
        lines,
        text,
        headers: reply.headers,
      };
    };
    const signUp = async (email = newAddress(), fields: Fields = {}) => {
      const { token } = await administer(provider().services, 'trusted-token', { profile: PROFILE, email });
      return send('/sessions/attest', { profile_id: PROFILE, token, session_duration_minutes: 60, ...fields });
    };
    const cookie = (name: string): string =>
      new RegExp(`(?:^|; )${name}=([^;]*)`, 'u').exec(jar.sentTo(API))?.[1] ?? '';
    return {
      jar,
      send,
      signUp,
      cookie,
      authenticate: (sent?: PageRequest) => send('/sessions/authenticate', {}, sent),
    };
  }

  /** Another browser with cookies of this one, as a program gets them that reads its disk: of the session, unless they are named. */
  function copyOf(page: CookiePage, names: readonly string[] = SESSION_COOKIES) {
    const copy = openPage();
    copy.jar.receive(
      API,
      names.map((name) => `${name}=${page.cookie(name)}; Domain=example.com; Path=/`),
    );
    return copy;
  }

  return { newAddress, openPage, copyOf };
}
