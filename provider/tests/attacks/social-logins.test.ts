import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../../src/access/admin.ts';
import { projectFrom } from '../../src/project/project.ts';
import { issueAttachToken } from '../../src/social/attaching.ts';
import { openIdSettings } from '../../src/social/openid-table.ts';
import { addKind, asTheRealOnes, CLIENTS, likeTheRealOnes, production, TENANT } from '../kit/foreign-kinds.ts';
import { ForeignProviders } from '../kit/foreign-provider.ts';
import { foreignVisitor, HERE, PRODUCTION } from '../kit/foreign-visitor.ts';
import { DATABASES, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';

/** The tenant of the attacker at Microsoft. */
const TID = new URL(TENANT).pathname.split('/')[1];
const PROFILE = 'trusted-auth-token-profile-test';

describe.each(DATABASES)('an attacker of social logins, on %s', (_, url) => {
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

  describe('who writes another person’s address into an own account', () => {
    it.each<[string, string, Readonly<Record<string, unknown>>]>([
      ['of a tenant at Microsoft (nOAuth)', 'microsoft', { tid: TID }],
      [
        'of a tenant that says it verified it',
        'microsoft',
        { tid: TID, email_verified: true, verified_primary_email: ['x'] },
      ],
      ['of a tenant that Microsoft contradicts', 'microsoft', { tid: TID, xms_edov: false }],
      ['at Google, with an address that is not Google’s', 'google', { email_verified: true }],
      ['at Google, unverified', 'google', { email_verified: false, hd: 'example.com' }],
      ['at a provider that does not verify', 'my-sso', { email_verified: false }],
      ['at a provider that does not say', 'my-sso', {}],
      ['at a provider that says it in other words', 'my-sso', { email_verified: 'yes' }],
    ])('gets another user: %s', async (title, name, claims) => {
      const sub = title.replaceAll(/[^a-z]+/giu, '-');
      const email = `${sub}@example.com`;
      const user_id = await victim(email);
      foreign.person = { sub, email, ...claims };
      const login = await browserOf().authenticate(name);
      expect(login['user_id']).not.toBe(user_id);
      expect(login['user'].emails).toEqual([]);
    });

    it('gets another user, even by Microsoft under another name in the project', async () => {
      const oauth_clients = {
        entra: { ...CLIENTS['my-sso'], issuer: 'https://login.microsoftonline.com/common/v2.0' },
      };
      const entra = projectFrom({ ...PRODUCTION, oauth_clients }, false).oauth_clients['entra'];
      expect(entra).toBeDefined();
      const settings = openIdSettings({ entra }, 'entra', provider.services.clock);
      const claims = { sub: 'x', email: 'victim@example.com', email_verified: true };
      expect(settings?.claims(claims, new URLSearchParams())).toMatchObject({ email_verified: false });
    });

    it('stays who they are when they change the address at the provider later', async () => {
      const user_id = await victim('changed@example.com');
      foreign.person = { sub: 'changer', email: 'own@example.com', email_verified: true };
      const first = await userOf('my-sso');
      foreign.person = { sub: 'changer', email: 'changed@example.com', email_verified: true };
      expect(await userOf('my-sso')).toBe(first);
      expect(first).not.toBe(user_id);
      // The rightful owner is still linked by the address.
      foreign.person = { sub: 'owner', email: 'changed@example.com', email_verified: true };
      expect(await userOf('my-sso')).toBe(user_id);
    });

    it('is not the person with the same id in another workspace', async () => {
      foreign.person = { sub: 'U1', 'https://slack.com/team_id': 'T1' };
      const first = await userOf('slack');
      foreign.person = { sub: 'U1', 'https://slack.com/team_id': 'T2' };
      expect(await userOf('slack')).not.toBe(first);
      foreign.person = { sub: 'U1' };
      expect((await browserOf().login('slack')).searchParams.get('error')).toBe('server_error');
    });
  });

  describe('who has the address of an answer', () => {
    beforeEach(() => {
      foreign.person = { sub: 'mallory', email: 'mallory@example.com', email_verified: true };
    });

    it('logs nobody else in with it, and takes nothing from the one who can use it', async () => {
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
      const query = new URLSearchParams({ public_token: PUBLIC_TOKEN, oauth_attach_token: token });
      const started = await attacker.open(`${HERE}/v1/public/oauth/my-sso/start?${query.toString()}`);
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

    it('cannot put its code into a login of their own', async () => {
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

  it('who reads the database can complete no login and read no refresh token', async () => {
    foreign.person = { sub: 'reader-test' };
    const answer = await browserOf().answer('my-sso');
    const rows = JSON.stringify(await provider.services.db.selectFrom('oauth_flows').selectAll().execute());
    const state = new URL(answer.url).searchParams.get('state') ?? '';
    expect(state).toHaveLength(43);
    expect(rows).not.toContain(state);
  });
});
