import { expect } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import type { CookieJarOfBrowser } from './cookie-jar.ts';
import { basic, type Fields, type Provider } from './harness.ts';
import { administer } from './managing.ts';

const PROFILE = 'trusted-auth-token-profile-test';

/** A project at `api.` of the host, with a page at `app.` of it. */
export function projectAt(host: string, session_cookies: Fields, fields: Fields = {}) {
  const page = `https://app.${host}`;
  return projectFrom(
    {
      issuer: `https://api.${host}`,
      origins: [page],
      redirect_urls: [`${page}/`],
      default_login_redirect_url: `${page}/`,
      default_signup_redirect_url: `${page}/`,
      trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
      session_cookies,
      ...fields,
    },
    false,
  );
}

let users = 0;

/** A page of a project, in the browser with these cookies. */
export function openPage(provider: Provider, project: ReturnType<typeof projectAt>, jar: CookieJarOfBrowser) {
  const services = { ...provider.services, project };
  const app = createApp({ ...services, loopback: false, dev: false });
  const [page = ''] = project.origins;
  const api = project.issuer ?? '';
  const send = async (path: string, body: Fields = {}) => {
    const url = `${api}/sdk/v1${path}`;
    const reply = await app.request(url, {
      method: 'POST',
      headers: {
        authorization: basic(project.public_token, project.public_token),
        cookie: jar.sentTo(url),
        origin: page,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const lines = reply.headers.getSetCookie().filter((line) => !line.startsWith('__Host-portico_device='));
    jar.receive(url, lines);
    const { data, error_type } = (await reply.json()) as Fields;
    const shown = data as Fields | undefined;
    const session = shown?.['session'] as Fields | undefined;
    return { status: reply.status, type: error_type, id: session?.['session_id'], data: shown, lines };
  };
  return {
    send,
    async signUp() {
      const email = `place-${(users += 1)}@example.com`;
      const { token } = await administer(services, 'trusted-token', { profile: PROFILE, email });
      const made = await send('/sessions/attest', { profile_id: PROFILE, token, session_duration_minutes: 60 });
      expect([made.status, made.type]).toEqual([200, undefined]);
      return made;
    },
    authenticate: async () => send('/sessions/authenticate'),
    revoke: async () => send('/sessions/revoke'),
    /** The names of the session's cookies that the browser sends to the API, in its order. */
    sent: () => [...jar.sentTo(`${api}/sdk/v1/`).matchAll(/(?:^|; )([^=]+)=/gu)].map(([, name = '']) => name),
  };
}
