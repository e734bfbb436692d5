import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../kit/managing.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { issueAttachToken } from '#provider/accounts/social/logins/attaching.ts';
import { openIdSettings } from '#provider/accounts/social/providers/openid-table.ts';
import { addKind, asTheRealOnes, CLIENTS, likeTheRealOnes, production, TENANT } from '../kit/foreign-kinds.ts';
import { ForeignProviders } from '../kit/foreign-provider.ts';
import { foreignVisitor, HERE, PRODUCTION } from '../kit/foreign-visitor.ts';
import { EITHER_DATABASE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { CHALLENGE } from '../kit/oauth-harness.ts';
import { soakIt } from '#tests/soak-tests.ts';

/** The tenant of the attacker at Microsoft. */
const TID = new URL(TENANT).pathname.split('/')[1];
const PROFILE = 'trusted-auth-token-profile-test';

describe.each(EITHER_DATABASE)('an attacker of social logins, on %s', (_, url) => {
  const foreign = new ForeignProviders();
  let provider: Provider;
  beforeAll(async () => {
    await foreign.start();
    foreign.intercept = asTheRealOnes;
    foreign.tamper = likeTheRealOnes;
    for (const kind of ['google', 'microsoft', 'slack', 'my-sso'] as const) await addKind(foreign, kind);
    const profile = { profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' };
    provider = await production(foreign, url, {
      project: projectFrom({ ...PRODUCTION, oauth_clients: CLIENTS, trusted_auth_token_profiles: [profile] }, false),
    });
  });
  beforeEach(() => {
    foreign.person = null;
    foreign.calls.length = 0;
  });
  afterAll(async () => {
    await provider.close();
    await foreign.close();
  });

  const browserOf = () => foreignVisitor(provider, foreign);
  const flows = async () => (await provider.services.db.selectFrom('oauth_flows').selectAll().execute()).length;

  /** A user who verified the address here. */
  async function victim(email: string): Promise<string> {
    const { token } = await administer(provider.services, 'trusted-token', { profile: PROFILE, email });
    const body = { profile_id: PROFILE, token, session_duration_minutes: 60 };
    return String((await provider.post('/sessions/attest', body)).data['user_id']);
  }

  /** Who is logged in at the end. */
  async function userOf(name: string, browser = browserOf()): Promise<string> {
    return String((await browser.authenticate(name))['user_id']);
  }

  describe('an attacker who enters another person’s address in an own account', () => {
    it.each([
      ['of a tenant at Microsoft (nOAuth)', 'microsoft', { tid: TID, email_verified: true }],
      ['at a provider that did not verify it', 'my-sso', { email_verified: false }],
    ])('gets another user: %s', async (_title, name, claims) => {
      const email = `${name}@example.com`;
      const user_id = await victim(email);
      foreign.person = { sub: `attacker-${name}`, email, ...claims };
      const login = await browserOf().authenticate(name);
      expect(login['user_id']).not.toBe(user_id);
      expect(login['user'].emails).toEqual([]);
    });

    const entra = { client_id: 'x', client_secret: 'y', name: null };
    const clients = {
      ...CLIENTS,
      microsoft: { ...CLIENTS.microsoft, tenant: 'common' },
      entra: { ...entra, issuer: 'https://login.microsoftonline.com/common/v2.0' },
      workspace: { ...entra, issuer: 'https://accounts.google.com' },
      team: { ...entra, issuer: 'https://slack.com' },
      b2c: { ...entra, issuer: 'https://x.b2clogin.com/x.onmicrosoft.com/p/v2.0' },
    };
    it.each<[string, Readonly<Record<string, unknown>>, boolean]>([
      ['microsoft', { email_verified: true, verified_primary_email: ['victim@example.com'] }, false],
      ['microsoft', { xms_edov: false }, false],
      ['microsoft', { xms_edov: '0' }, false],
      ['microsoft', { xms_edov: true }, true],
      ['microsoft', { xms_edov: '1' }, true],
      ['entra', { email_verified: true }, false],
      ['b2c', { email_verified: true }, false],
      ['google', { email_verified: true }, false],
      ['google', { email_verified: true, email: 'victim@gmail.com.evil.example' }, false],
      ['google', { email_verified: true, email: 'me@gmail.com' }, true],
      ['google', { email_verified: true, hd: 'example.com' }, true],
      ['google', { email_verified: false, hd: 'example.com' }, false],
      ['workspace', { email_verified: true }, false],
      ['workspace', { email_verified: true, hd: 'example.com' }, true],
      ['my-sso', {}, false],
      ['my-sso', { email_verified: 'yes' }, false],
      ['my-sso', { email_verified: 1 }, false],
      ['apple', { email_verified: 'false' }, false],
      ['apple', { email_verified: 'true' }, true],
    ])('%s with %j: the address is believed: %j', (name, claims, believed) => {
      const settings = openIdSettings(clients, name, provider.services.clock);
      const read = settings?.claims({ sub: 'x', email: 'victim@example.com', ...claims }, new URLSearchParams());
      expect(read?.email_verified).toBe(believed);
    });

    it('is one person for each workspace, under whatever name the provider is configured', () => {
      const settings = openIdSettings(clients, 'team', provider.services.clock);
      const claims = { sub: 'U1', 'https://slack.com/team_id': 'T1' };
      expect(settings?.claims(claims, new URLSearchParams()).sub).toBe('T1-U1');
      expect(settings?.claims({ sub: 'U1' }, new URLSearchParams()).sub).toBeUndefined();
    });

    it('stays who they are when they change the address at the provider later', async () => {
      const user_id = await victim('changed@example.org');
      foreign.person = { sub: 'changer', email: 'own@example.org', email_verified: true };
      const first = await userOf('my-sso');
      foreign.person = { sub: 'changer', email: 'changed@example.org', email_verified: true };
      expect(await userOf('my-sso')).toBe(first);
      expect(first).not.toBe(user_id);
      // The rightful owner is still linked by the address.
      foreign.person = { sub: 'owner', email: 'changed@example.org', email_verified: true };
      expect(await userOf('my-sso')).toBe(user_id);
    });

    soakIt('is not the person with the same id in another workspace', async () => {
      foreign.person = { sub: 'U1', 'https://slack.com/team_id': 'T1' };
      const first = await userOf('slack');
      foreign.person = { sub: 'U1', 'https://slack.com/team_id': 'T2' };
      expect(await userOf('slack')).not.toBe(first);
      foreign.person = { sub: 'U1' };
      expect((await browserOf().login('slack')).searchParams.get('error')).toBe('server_error');
    });
  });

  describe('an attacker with the URL of an answer', () => {
    beforeEach(() => {
      foreign.person = { sub: 'mallory', email: 'mallory@example.com', email_verified: true };
    });

    it('logs no one else in with it, and takes nothing from the person who can use it', async () => {
      const attacker = browserOf();
      const answer = await attacker.answer('my-sso');
      const before = await flows();
      // Another browser, as it would be led there by a link (login CSRF), and one with a login of its own under way.
      const innocent = browserOf();
      await innocent.leave('my-sso');
      for (const browser of [browserOf(), innocent]) {
        const reply = await browser.send(answer);
        expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
        expect(await reply.text()).toContain('another browser');
      }
      expect(await flows()).toBe(before + 1);
      expect(foreign.calls).not.toContain('POST https://sso.example.org/realms/staff/token');
      expect((await attacker.send(answer)).status).toBe(303);
    });

    it('cannot have a victim’s account attached to their own user', async () => {
      const user_id = await victim('attacker@example.com');
      const token = await issueAttachToken(provider.services, 'my-sso', { user_id, session: null });
      const attacker = browserOf();
      const fields = { public_token: PUBLIC_TOKEN, oauth_attach_token: token, code_challenge: CHALLENGE };
      const started = await attacker.open(`${HERE}/v1/public/oauth/my-sso/start`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      // The victim is led to the provider's page with the state of the attacker's browser.
      const page = started.headers.get('location') ?? '';
      foreign.person = { sub: 'the-victim' };
      const innocent = browserOf();
      const reply = await innocent.send(await innocent.goTo(page));
      expect(reply.status).toBe(400);
      const rows = await provider.services.db.selectFrom('oauth_registrations').select('provider_subject').execute();
      expect(rows.map(({ provider_subject }) => provider_subject)).not.toContain('the-victim');
    });

    it('cannot send it twice, however fast', async () => {
      const browser = browserOf();
      const answer = await browser.answer('my-sso');
      const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await browser.send(answer)).status));
      expect(statuses.sort((a, b) => a - b)).toEqual([303, 400, 400, 400, 400]);
    });

    it('cannot send it to the callback of another provider (mix-up)', async () => {
      const browser = browserOf();
      const answer = await browser.answer('my-sso');
      for (const name of ['google', 'wrong-secret']) {
        const reply = await browser.send({ url: answer.url.replace('/my-sso/', `/${name}/`) });
        expect([reply.status, reply.headers.get('location')]).toEqual([400, null]);
      }
      expect((await browser.send(answer)).status).toBe(303);
    });

    it('cannot use its code in an own login', async () => {
      const { searchParams } = new URL((await browserOf().answer('my-sso')).url);
      const browser = browserOf();
      foreign.person = { sub: 'eve' };
      const own = new URL((await browser.answer('my-sso')).url);
      own.searchParams.set('code', searchParams.get('code') ?? '');
      // The verifier of the other login is missing (RFC 9700, section 4.5).
      const end = await browser.send({ url: own.href });
      expect(new URL(end.headers.get('location') ?? '').searchParams.get('error')).toBe('server_error');
    });
  });

  it('a reader of the database can complete no login and read no refresh token', async () => {
    foreign.person = { sub: 'reader-test' };
    const answer = await browserOf().answer('my-sso');
    const rows = JSON.stringify(await provider.services.db.selectFrom('oauth_flows').selectAll().execute());
    const state = new URL(answer.url).searchParams.get('state') ?? '';
    expect(state).toHaveLength(43);
    expect(rows).not.toContain(state);
  });
});
