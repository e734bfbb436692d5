import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oauthStartUrl } from '../../../src/domain/oauth-start-url.ts';
import { DEV_SECRET } from '../../src/backend/credentials.ts';
import { basic, DATABASES, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';
import { browser, ORIGIN } from '../kit/oauth-harness.ts';
import { enrolTotp, makeTarget, MINUTES, uniqueEmail } from './attacker.ts';

const PASSWORD = 'correct horse battery staple';
const OTHER = 'a wholly different phrase of mine';

/** What was begun before the owner changed something, and finished afterwards. */
describe.each(DATABASES)('what is pending when an account changes, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** A call of the app's own server. */
  async function server(path: string, fields: Fields): Promise<Fields> {
    const reply = await provider.app.request(`/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify(fields),
    });
    const body = (await reply.json()) as Fields;
    expect(body).toMatchObject({ status_code: 200 });
    return body;
  }
  const newest = async () => (await provider.inbox())[0];
  const newestToken = async () => new URL((await newest())?.link ?? 'none:').searchParams.get('token');
  const openLink = async (token: unknown) => provider.post('/magic_links/authenticate', { token, ...MINUTES });
  const enterCode = async (method_id: unknown, extras: { readonly session?: string } = {}) =>
    provider.post('/otps/authenticate', { method_id, token: (await newest())?.code, ...MINUTES }, extras);

  it('a change of the password ends all codes and links but those with which an unverified address is verified', async () => {
    const email = uniqueEmail('unverified');
    const phone = { phone_number: '+14155557301' };
    const { data } = await provider.post('/passwords', { email, password: PASSWORD, ...MINUTES });
    const session = String(data['session_token']);
    const added = await provider.post('/otps/sms/send/secondary', phone, { session });
    const mine = String((await enterCode(added.data['method_id'], { session })).data['session_token']);
    const own = await provider.sendLink(email);
    const { token: embedded } = await server('/magic_links', { user_id: data['user_id'] });
    const sent = await provider.post('/otps/sms/send/primary', phone);
    const changed = await provider.post('/passwords/session/reset', { password: OTHER }, { session: mine });
    expect(changed.status).toBe(200);
    expect((await enterCode(sent.data['method_id'])).status).toBe(404);
    expect((await openLink(embedded)).status).toBe(401);
    expect((await openLink(own)).status).toBe(200);
  });

  it('the link that adds an address does not add it again after it was removed', async () => {
    const { user_id, session_token } = await provider.signIn(uniqueEmail('owner'));
    const email = uniqueEmail('lost');
    // Both are vouched for by the app's own server: no session is needed to open them.
    await server('/magic_links/email/send', { email, user_id });
    const early = await newestToken();
    await server('/magic_links/email/send', { email, user_id });
    expect((await openLink(await newestToken())).status).toBe(200);
    await server('/magic_links/email/send', { email: email.toUpperCase(), user_id });
    const late = await newestToken();
    const me = await provider.call('GET', '/users/me', undefined, { session: String(session_token) });
    const lost = (me.data['emails'] as Fields[]).find((each) => each['email'] === email);
    const path = `/users/emails/${String(lost?.['email_id'])}`;
    expect((await provider.call('DELETE', path, undefined, { session: String(session_token) })).status).toBe(200);
    for (const token of [early, late]) expect((await openLink(token)).status).toBe(401);
  });

  it('a social account that a session began to attach is refused once the user has a second factor', async () => {
    const email = uniqueEmail('enrolling');
    const stolen = await provider.signIn(email);
    const own = await provider.signIn(email);
    const begun = await server('/oauth/attach', { provider: 'google', session_token: stolen['session_token'] });
    const visitor = browser(provider);
    const address = `${oauthStartUrl(ORIGIN, PUBLIC_TOKEN, 'google', {})}&oauth_attach_token=${begun['oauth_attach_token']}`;
    const page = await visitor.get((await visitor.get(address)).headers.get('location') ?? '');
    await enrolTotp(provider, String(own['session_token']));
    const chosen = await visitor.choose(await page.text(), { email: 'thief@example.com', verified: 'yes' });
    const end = await visitor.get(chosen.headers.get('location') ?? '');
    expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe('server_error');
  });
});
