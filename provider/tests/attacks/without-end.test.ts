import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOST_OF_A_KIND } from '#server-rules/accounts.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, type ProviderResponse, type Fields, type Provider } from '../kit/harness.ts';
import { sweep } from '#provider/operation/retention/sweep.ts';
import { consent, makeTarget, MINUTES, passkey, redeemCode, refresh, secondAddress } from './attacker.ts';
import { at } from './places.ts';
import { oneOf, SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
/** More than have a row each in an hour. */
const CONSENTS = SOAK ? 40 : 24;
const FEW = { max: 4, windowMs: 60 * MINUTE };

describe.each(EITHER_DATABASE)('the calls that a session could repeat without end, on %s', (_, url) => {
  let provider: Provider;
  let session: string;
  let user_id: string;
  let people = 0;
  beforeAll(async () => {
    provider = await makeTarget(url, {
      challengesPerUser: FEW,
      additionsPerUser: FEW,
      codesPerUser: { max: CONSENTS, windowMs: 60 * MINUTE },
      refreshesPerFamily: FEW,
    });
  });
  afterAll(() => provider.close());
  beforeEach(async () => {
    provider.clock.time += 2 * DAY;
    await sweep(provider.services);
    people += 1;
    const { session_token, user_id: id } = await provider.signIn(`person${people}@example.com`);
    session = String(session_token);
    user_id = String(id);
  });

  const repeated = async (
    times: number,
    act: (time: number) => Promise<ProviderResponse>,
  ): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push((await act(time)).status);
    return statuses;
  };
  const wallet = (time: number): Fields => ({
    crypto_wallet_type: 'ethereum',
    crypto_wallet_address: `0x${String(time).padStart(40, '1')}`,
  });

  const CALLS: readonly (readonly [name: string, act: (time: number) => Promise<ProviderResponse>])[] = [
    [
      'registrations of passkeys',
      () => provider.post('/webauthn/register/start', { domain: 'localhost' }, { session }),
    ],
    [
      'challenges of passkeys',
      () => provider.post('/webauthn/authenticate/start/secondary', { domain: 'localhost' }, { session }),
    ],
    [
      'challenges of wallets, each of another one',
      (time) => provider.post('/crypto_wallets/authenticate/start/secondary', wallet(time), { session }),
    ],
    ['attachments of social accounts', () => provider.post('/oauth/attach', { provider: 'google' }, { session })],
    [
      'codes to other addresses',
      (time) =>
        provider.post('/otps/email/send/secondary', { email: `more${people}.${time}@example.com` }, { session }),
    ],
    [
      'links to other addresses',
      (time) =>
        provider.post('/magic_links/email/send/secondary', { email: `link${people}.${time}@example.com` }, { session }),
    ],
    [
      'texts to other numbers',
      (time) => provider.post('/otps/sms/send/secondary', { phone_number: `+1415555010${time}` }, { session }),
    ],
  ];
  it.each(oneOf(3, CALLS))('%s end', async (name, act) => {
    const statuses = await repeated(6, act);
    expect(statuses.slice(0, 4), name).not.toContain(429);
    expect(statuses.slice(4), name).toEqual([429, 429]);
    // Another user is not affected.
    const { session_token } = await provider.signIn(`other${people}@example.com`);
    session = String(session_token);
    expect((await act(9)).status).not.toBe(429);
  });

  it('simultaneous ones end as well', async () => {
    const start = () => provider.post('/webauthn/register/start', { domain: 'localhost' }, { session });
    const replies = await Promise.all(Array.from({ length: 20 }, start));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    const rows = await provider.services.db
      .selectFrom('webauthn_challenges')
      .select('challenge_hash')
      .where('user_id', '=', user_id)
      .execute();
    expect(rows).toHaveLength(4);
  });

  soakIt('consents end, and those that change nothing have few rows and a count', async () => {
    const statuses = await repeated(CONSENTS + 5, () => consent(provider, session));
    expect(statuses.filter((status) => status === 200)).toHaveLength(CONSENTS);
    const consents = () =>
      provider.services.db
        .selectFrom('audit_log')
        .select('details')
        .where('user_id', '=', user_id)
        .where('event', '=', 'consent')
        .where('outcome', '=', 'ok')
        .orderBy('seq')
        .execute();
    // The first one granted something.
    expect(await consents()).toHaveLength(21);
    provider.clock.time += 61 * MINUTE;
    await sweep(provider.services);
    expect((await consents()).at(-1)?.details).toMatchObject({ more: CONSENTS - 21 });
  });

  soakIt('refreshes of one authorization end', async () => {
    let tokens = await redeemCode(provider, (await consent(provider, session)).data['authorization_code']);
    const seen: unknown[] = [];
    for (let time = 0; time < 5; time += 1) {
      const next = await refresh(provider, tokens['refresh_token']);
      seen.push(next['error_type'] ?? next['error'] ?? 'refreshed');
      if (next['refresh_token'] !== undefined) tokens = next;
    }
    expect(seen.slice(0, 4)).toEqual(['refreshed', 'refreshed', 'refreshed', 'refreshed']);
    expect(seen[4]).not.toBe('refreshed');
    // The token that was refused is still good later.
    provider.clock.time += 121 * MINUTE;
    expect((await refresh(provider, tokens['refresh_token']))['refresh_token']).toEqual(expect.any(String));
  });

  soakIt('sessions and known networks of a user are bounded: a login ends those used longest ago', async () => {
    const { db, clock } = provider.services;
    const row = await db.selectFrom('sessions').selectAll().where('user_id', '=', user_id).executeTakeFirstOrThrow();
    const old = (place: number) => ({
      ...row,
      session_id: `session-test-old-${people}-${place}`,
      last_accessed_at: new Date(clock.now() - place * MINUTE),
      attributes: JSON.stringify(row.attributes),
      authentication_factors: JSON.stringify(row.authentication_factors),
      custom_claims: JSON.stringify(row.custom_claims),
      bound_key: null,
      trial_key: null,
    });
    await db
      .insertInto('sessions')
      .values(Array.from({ length: 260 }, (__, place) => old(place + 1)))
      .execute();
    const email = `person${people}@example.com`;
    await provider.signIn(email);
    const kept = await db.selectFrom('sessions').select('session_id').where('user_id', '=', user_id).execute();
    expect(kept).toHaveLength(200);
    expect(kept.map(({ session_id }) => session_id)).toContain(row.session_id);

    for (let place = 0; place < 53; place += 1) {
      const { code, method_id } = await provider.sendCode(email);
      const reply = await at(provider.app, `2001:db8:${place.toString(16)}::1`).post('/otps/authenticate', {
        token: code,
        method_id,
        ...MINUTES,
      });
      expect(reply.status).toBe(200);
      provider.clock.time += 1000;
    }
    const known = await db.selectFrom('known_networks').select('network').where('user_id', '=', user_id).execute();
    expect(known.filter(({ network }) => !network.startsWith('device:'))).toHaveLength(50);
    expect(known.filter(({ network }) => network.startsWith('device:'))).toHaveLength(10);
  });

  soakIt('a user has so many passkeys, and can remove one to add another', async () => {
    const { db } = provider.services;
    const made = passkey(provider);
    expect((await (await made.begin(session))()).status).toBe(200);
    const row = await db
      .selectFrom('webauthn_registrations')
      .selectAll()
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: MOST_OF_A_KIND - 1 }, (__, place) => ({
      ...row,
      webauthn_registration_id: `${row.webauthn_registration_id}-${place}`,
      credential_id: `${row.credential_id}-${place}`,
      transports: JSON.stringify(row.transports),
    }));
    await db.insertInto('webauthn_registrations').values(copies).execute();
    const { session_token } = await provider.signIn(`person${people}@example.com`);
    const finish = await passkey(provider).begin(String(session_token));
    expect((await finish()).body).toMatchObject({ status_code: 400, error_type: 'too_many_factors' });
    await db
      .deleteFrom('webauthn_registrations')
      .where('webauthn_registration_id', '=', `${row.webauthn_registration_id}-0`)
      .execute();
    // The removal ended what had begun before.
    expect((await finish()).status).toBe(400);
    expect((await (await passkey(provider).begin(String(session_token)))()).status).toBe(200);
  });

  it('a user has so many addresses', async () => {
    const { db, clock } = provider.services;
    const others = Array.from({ length: MOST_OF_A_KIND - 1 }, (__, place) => ({
      email_id: `email-test-${people}-${place}`,
      user_id,
      email: `old${people}.${place}@example.com`,
      email_key: `old${people}.${place}@example.com`,
      verified: true,
      created_at: new Date(clock.now()),
    }));
    await db.insertInto('emails').values(others).execute();
    const finish = await secondAddress(provider).begin(session);
    expect((await finish()).body['error_type']).toBe('too_many_factors');
  });

  it('the defaults bound each of them', () => {
    const { challengesPerUser, additionsPerUser, codesPerUser, refreshesPerFamily } = DEFAULT_LIMITS;
    for (const { max } of [challengesPerUser, additionsPerUser, codesPerUser, refreshesPerFamily]) {
      expect(max).toBeLessThanOrEqual(120);
    }
  });
});
