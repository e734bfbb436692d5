import { getRequestListener } from '@hono/node-server';
import { LogoutCarrier } from '#provider/messages/logouts/logout-carrier.ts';
import { startDelivery } from '#provider/messages/outbox/delivery.ts';
import { systemClock } from '#provider/base/platform.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { makeProvider, type Fields, type Provider } from '../../kit/harness.ts';
import { askedIn, PAGE, SETTINGS } from '../../kit/idp-harness.ts';
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

const clientOf = ({ id, secret }: typeof CLIENT) => ({
  client_id: id,
  client_type: 'confidential',
  client_secret_hash: tokenHash(secret),
  // The plans of the OpenID Foundation send no challenge.
  pkce_required: false,
  name: 'Certified',
  redirect_uris: [CALLBACK],
  post_logout_redirect_uris: [BYE],
  scopes: ['openid', 'profile', 'email', 'phone', 'offline_access'],
});

/** This provider over HTTP. The page's part is played by calls of the wire, as the widget makes them. */
export async function ourProvider(databaseUrl: string | undefined): Promise<Subject> {
  const [{ issuer, server, answer }, logouts] = await Promise.all([listen(), logoutInbox()]);
  const hearing = { backchannel_logout_uri: logouts.uri, backchannel_logout_session_required: true };
  const settings = {
    ...SETTINGS,
    issuer: issuer.origin,
    allow_loopback: true,
    clients: [clientOf(CLIENT), clientOf(POST_CLIENT), { ...clientOf(LOGOUT_CLIENT), ...hearing }],
  };
  const provider = await makeProvider(databaseUrl, { clock: systemClock, project: projectFrom(settings) });
  const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
  answer((req, res) => void listener(req, res));
  const { services } = provider;
  const delivery = startDelivery({ ...services, dev: false }, { logout: new LogoutCarrier(services) }, { poll: 20 });
  return {
    issuer,
    logouts,
    person: (name) => new OurPerson(provider, `${name}@example.com`),
    async close() {
      await delivery?.stop();
      await Promise.all([stop(server), logouts.close()]);
      await provider.close();
    },
  };
}

class OurPerson implements Person {
  private session: string | null = null;
  private logins = 0;

  constructor(
    private readonly provider: Provider,
    private readonly email: string,
  ) {}

  async visit(url: URL, method: 'GET' | 'POST' = 'GET'): Promise<Visit> {
    this.logins = 0;
    const reply = await request(url, method, {});
    const location = reply.headers.get('location');
    if (location === null) return { answer: null, status: reply.status, logins: 0, confirmed: false };
    const page = new URL(location);
    if (`${page.origin}${page.pathname}` !== PAGE) {
      return { answer: page, status: reply.status, logins: 0, confirmed: false };
    }
    return page.searchParams.has('post_logout_redirect_uri') ? this.leave(page) : this.authorize(askedIn(page));
  }

  private async post(path: string, body: Fields) {
    return this.provider.post(path, body, this.session === null ? {} : { session: this.session });
  }

  private async logIn(): Promise<void> {
    this.logins += 1;
    passTime(1);
    const given = this.session === null ? {} : { session: this.session };
    this.session = String((await this.provider.signIn(this.email, given))['session_token']);
  }

  private async authorize(asked: Fields): Promise<Visit> {
    const isSilent = String(asked['prompt']).includes('none');
    if (this.session === null && !isSilent) await this.logIn();
    let started = await this.post('/idp/oauth/authorize/start', asked);
    if (started.body['error_type'] === 'login_required') {
      await this.logIn();
      started = await this.post('/idp/oauth/authorize/start', asked);
    }
    if (started.status !== 200 && !isSilent) return this.ended(null, started.status);
    const { data, status } = await this.post('/idp/oauth/authorize/submit', { ...asked, consent_granted: true });
    return this.ended(data['redirect_uri'], status);
  }

  private async leave(page: URL): Promise<Visit> {
    const fields = [...page.searchParams].filter(([, value]) => value !== '');
    const { data, status } = await this.post('/oauth/logout/start', Object.fromEntries(fields));
    if (status !== 200) return this.ended(null, status);
    if (this.session !== null) await this.post('/sessions/revoke', {});
    this.session = null;
    return { ...this.ended(data['redirect_uri'], status), confirmed: data['consent_required'] as boolean };
  }

  private ended(address: string | null | undefined, status: number): Visit {
    const answer = (address ?? '') === '' ? null : new URL(String(address));
    return { answer, status, logins: this.logins, confirmed: false };
  }
}
