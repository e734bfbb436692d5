import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK } from 'jose';
import type { Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { CookieJarOfBrowser } from '../../kit/cookie-jar.ts';
import { rsaKey } from '../../kit/foreign-provider.ts';
import {
  BYE,
  CALLBACK,
  CLIENT,
  listen,
  LOGOUT_CLIENT,
  logoutInbox,
  passTime,
  POST_CLIENT,
  request,
  stop,
  type Person,
  type Subject,
  type Visit,
} from './subject.ts';

const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'picture'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

const clientOf = ({ id, secret }: typeof CLIENT, token_endpoint_auth_method: string) => ({
  client_id: id,
  client_secret: secret,
  token_endpoint_auth_method,
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [BYE],
  grant_types: ['authorization_code', 'refresh_token'],
});

/** `oidc-provider`, which is certified, with as few settings of our own as it can be run with. */
export async function oracle(): Promise<Subject> {
  const [{ issuer, server, answer }, logouts] = await Promise.all([listen(), logoutInbox()]);
  const hearing = { backchannel_logout_uri: logouts.uri, backchannel_logout_session_required: true };
  const key = { ...(await exportJWK(await rsaKey('first'))), kid: 'first', alg: 'RS256', use: 'sig' };
  // It warns of its storage in memory.
  const warning = vi.spyOn(console, 'warn').mockReturnValue();
  const { Provider: Foreign } = await import('oidc-provider');
  const provider = new Foreign(issuer.origin, {
    clients: [
      clientOf(CLIENT, 'client_secret_basic'),
      clientOf(POST_CLIENT, 'client_secret_post'),
      { ...clientOf(LOGOUT_CLIENT, 'client_secret_basic'), ...hearing },
    ],
    jwks: { keys: [key] },
    // A form of another site brings no cookie otherwise.
    enableHttpPostMethods: true,
    cookies: { keys: ['cookies of the oracle'], long: { sameSite: 'none' } },
    claims: CLAIMS,
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      claimsParameter: { enabled: true },
      backchannelLogout: { enabled: true },
    },
    // Its own dispatcher refuses loopback, where the app of the back-channel logout listens.
    fetch: async (url: string, { dispatcher: _own, ...init }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, init),
    renderError: (context: { type: string; body: string }, { error }: { readonly error: string }) => {
      Object.assign(context, { type: 'html', body: error });
    },
    interactions: { url: () => '/choose' },
    pkce: { required: () => false },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
    },
  });
  warning.mockRestore();
  const callback = provider.callback();
  answer((req, res) => {
    if (req.url?.startsWith('/choose') === true) void choose(provider, req, res);
    else callback(req, res);
  });
  return {
    issuer,
    logouts,
    person: (name) => new OraclesPerson(issuer, name),
    close: async () => {
      await Promise.all([stop(server), logouts.close()]);
    },
  };
}

/** The page that asks: its person is named by a header, and allows everything. */
async function choose(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const accountId = String(req.headers['x-person']);
  const { params, prompt } = await provider.interactionDetails(req, res);
  if (prompt.name === 'login') {
    passTime(1);
    res.setHeader('x-logged-in', 'yes');
    return provider.interactionFinished(req, res, { login: { accountId } });
  }
  const grant = new provider.Grant({ accountId, clientId: params['client_id'] ?? '' });
  grant.addOIDCScope(params['scope'] ?? '');
  grant.addOIDCClaims(Object.values(CLAIMS).flat());
  return provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
}

class OraclesPerson implements Person {
  private readonly cookies = new CookieJarOfBrowser();

  constructor(
    private readonly issuer: URL,
    private readonly name: string,
  ) {}

  async visit(url: URL, method: 'GET' | 'POST' = 'GET'): Promise<Visit> {
    let logins = 0;
    let confirmed = false;
    for (let next = url, by = method; ;) {
      // oxlint-disable-next-line no-await-in-loop -- each answer leads to the next request
      const reply = await request(next, by, { cookie: this.cookies.sentTo(next.href), 'x-person': this.name });
      this.cookies.receive(next.href, reply.headers.getSetCookie());
      if (reply.headers.get('x-logged-in') !== null) logins += 1;
      // oxlint-disable-next-line no-await-in-loop
      const form = logoutForm(this.issuer, await reply.text());
      const location = reply.headers.get('location');
      if (form === null && location === null) return { answer: null, status: reply.status, logins, confirmed };
      confirmed ||= form !== null;
      next = form ?? new URL(location ?? '', next);
      by = form === null ? 'GET' : 'POST';
      if (next.origin !== this.issuer.origin) return { answer: next, status: reply.status, logins, confirmed };
    }
  }
}

/** The address and fields of the form that confirms a logout. */
function logoutForm(issuer: URL, page: string): URL | null {
  const [, action] = /<form[^>]*method="post" action="([^"]*\/session\/end\/confirm)"/u.exec(page) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/u.exec(page) ?? [];
  if (action === undefined) return null;
  const form = new URL(action, issuer);
  form.search = new URLSearchParams({ xsrf, logout: 'yes' }).toString();
  return form;
}
