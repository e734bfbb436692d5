import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Provider } from '../kit/harness.ts';
import { CALLBACK, SETTINGS } from '../kit/idp-harness.ts';
import { APP, codeOf, enrolTotp, fromServer, isAlive, makeTarget, refresh, uniqueEmail } from './attacker.ts';
import { refusal, stepsOf, tokenOf } from './session-steps.ts';
import { RACES } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const DAY = 24 * 60 * MINUTE;
const YEAR = 527_040;
const PASSING = ['openid', 'full_access'];

describe.each(EITHER_DATABASE)('a session that an app makes of its token, on %s', (_, url) => {
  let provider: Provider;
  const { tokensIn, exchangeFor, extend, endOf } = stepsOf(() => provider);
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  const signIn = async (name: string): Promise<string> => {
    const session = tokenOf(await provider.signIn(uniqueEmail(name)));
    await extend(session, YEAR);
    return session;
  };

  it('ends with the access token, however it is extended', async () => {
    const { access_token } = await tokensIn(await signIn('passing'), PASSING);
    const expires = provider.clock.time + 60 * MINUTE;
    const made = await exchangeFor(access_token, YEAR);
    expect(made.status).toBe(200);
    expect(endOf(made)).toBe(expires);
    const session = tokenOf(made.data);
    for (let minute = 0; minute < 50; minute += 10) {
      provider.clock.time += 10 * MINUTE;
      expect(endOf(await extend(session, YEAR))).toBe(expires);
    }
    // Neither does another exchange that joins it extend it.
    const body = { access_token, session_duration_minutes: YEAR };
    const again = await provider.post('/sessions/exchange_access_token', body, { session });
    expect(endOf(again)).toBe(expires);
    provider.clock.time += 10 * MINUTE;
    expect(await isAlive(provider, again.data['session_token'])).toBe(false);
    expect(await isAlive(provider, session)).toBe(false);
    expect((await exchangeFor(access_token, YEAR)).status).toBe(401);
  });

  it('ends with the session in which the user let the app in', async () => {
    const owner = await signIn('owner');
    const { access_token } = await tokensIn(owner, PASSING);
    const made = await exchangeFor(access_token, YEAR);
    expect((await provider.post('/sessions/revoke', undefined, { session: owner })).status).toBe(200);
    expect(await isAlive(provider, made.data['session_token'])).toBe(false);
    expect(refusal(await exchangeFor(access_token, YEAR))).toEqual([401, 'invalid_access_token']);
    const rows = await provider.services.db.selectFrom('sessions').select('session_id').execute();
    expect(rows.map(({ session_id }) => session_id)).not.toContain(made.data['session']['session_id']);
  });

  soakIt('ends when that session is over by its time', async () => {
    const owner = tokenOf(await provider.signIn(uniqueEmail('over')));
    provider.clock.time += 30 * MINUTE;
    const { access_token } = await tokensIn(owner, PASSING);
    const made = await exchangeFor(access_token, YEAR);
    expect(endOf(made)).toBe(provider.clock.time + 30 * MINUTE);
    provider.clock.time += 31 * MINUTE;
    expect((await exchangeFor(access_token, YEAR)).status).toBe(401);
  });

  soakIt('ends with the last refresh token where the app may act on its own', async () => {
    const owner = await signIn('offline');
    const tokens = await tokensIn(owner);
    const made = await exchangeFor(tokens['access_token'], YEAR);
    expect(endOf(made)).toBe(provider.clock.time + 30 * DAY);
    await provider.post('/sessions/revoke', undefined, { session: owner });
    expect(await isAlive(provider, made.data['session_token'])).toBe(true);
    let { refresh_token } = tokens;
    const began = provider.clock.time;
    for (let turn = 0; turn < 7; turn += 1) {
      provider.clock.time += 25 * DAY;
      ({ refresh_token } = await refresh(provider, refresh_token));
      const longer = await extend(tokenOf(made.data), YEAR);
      expect(longer.status).toBe(200);
      expect(endOf(longer)).toBeLessThanOrEqual(began + 180 * DAY);
    }
    provider.clock.time = began + 180 * DAY;
    expect(await isAlive(provider, made.data['session_token'])).toBe(false);
  });

  soakIt('is refused or ended, whichever comes first, while the owner signs out', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const owner = await signIn('racing');
      const { access_token } = await tokensIn(owner, PASSING);
      const before = await exchangeFor(access_token, YEAR);
      const [out, ...made] = await Promise.all([
        provider.post('/sessions/revoke', undefined, { session: owner }),
        ...Array.from({ length: 4 }, () => exchangeFor(access_token, YEAR)),
        extend(tokenOf(before.data), YEAR),
      ]);
      expect(out.status).toBe(200);
      for (const reply of [before, ...made]) {
        expect(reply.status).toBeLessThan(500);
        expect(await isAlive(provider, reply.data['session_token'] ?? 'none')).toBe(false);
      }
    }
    expect(provider.traces).toEqual([]);
  });

  soakIt('a session of a version that bounded none ends now', async () => {
    const owner = await signIn('old');
    const made = await exchangeFor((await tokensIn(owner, PASSING))['access_token'], 60);
    await provider.services.db
      .updateTable('sessions')
      .set({ expires_at: new Date(provider.clock.time + 366 * DAY) })
      .where('session_id', '=', String(made.data['session']['session_id']))
      .execute();
    provider.clock.time += 61 * MINUTE;
    expect(await isAlive(provider, made.data['session_token'])).toBe(false);
    expect(await isAlive(provider, made.data['session_jwt'])).toBe(false);
  });
});

describe.each(EITHER_DATABASE)('the longest session of a project, on %s', (_, url) => {
  const PROFILE = 'trusted-auth-token-profile-test';
  let provider: Provider;
  const { extend, endOf } = stepsOf(() => provider);
  beforeAll(async () => {
    const app = { client_id: APP, client_type: 'public', name: 'App', redirect_uris: [CALLBACK], scopes: PASSING };
    provider = await makeProvider(url, {
      project: projectFrom({
        ...SETTINGS,
        clients: [app],
        session_max_minutes: 120,
        session_absolute_minutes: 300,
        trusted_auth_token_profiles: [{ profile_id: PROFILE, issuer: 'https://issuer.example', audience: 'here' }],
      }),
      limits: { ...DEFAULT_LIMITS, sendsPerAddress: { max: 1000, windowMs: 1000 } },
    });
  });
  afterAll(() => provider.close());

  it('refuses to ask for more, by the field’s name, before anything is used up', async () => {
    const email = uniqueEmail('longer');
    const { method_id, code } = await provider.sendCode(email);
    const long = await provider.post('/otps/authenticate', { token: code, method_id, session_duration_minutes: 121 });
    expect([...refusal(long), long.body['error_message']]).toEqual([
      400,
      'invalid_session_duration',
      'session_duration_minutes must be at most 120 in this project.',
    ]);
    const body = { token: code, method_id, session_duration_minutes: 120 };
    const login = await provider.post('/otps/authenticate', body);
    expect(login.status).toBe(200);
    expect(refusal(await extend(tokenOf(login.data), 121))).toEqual([400, 'invalid_session_duration']);
    expect(refusal(await extend(tokenOf(login.data), 527_041))).toEqual([400, 'invalid_session_duration']);
    const backend = await fromServer(provider, '/sessions/authenticate', {
      session_token: tokenOf(login.data),
      session_duration_minutes: 121,
    });
    expect([backend.status, backend.body['error_type']]).toEqual([400, 'invalid_session_duration']);
  });

  soakIt('cannot be exceeded by a loop of extensions, joins and second factors', async () => {
    const email = uniqueEmail('loop');
    const started = provider.clock.time;
    const { session: first, secret } = await enrolTotp(provider, tokenOf(await provider.signIn(email)));
    let session = first;
    for (let turn = 0; turn < 4; turn += 1) {
      provider.clock.time += 55 * MINUTE;
      const longer = await extend(session, 120);
      expect(endOf(longer)).toBeLessThanOrEqual(started + 300 * MINUTE);
      const { method_id, code } = await provider.sendCode(email);
      const body = { token: code, method_id, session_duration_minutes: 120 };
      const joined = await provider.post('/otps/authenticate', body, { session });
      expect(endOf(joined)).toBeLessThanOrEqual(started + 300 * MINUTE);
      const totp = { totp_code: codeOf(provider, secret), session_duration_minutes: 120 };
      const stepped = await provider.post('/totps/authenticate', totp, { session: tokenOf(joined.data) });
      session = tokenOf(stepped.data);
      expect(endOf(stepped)).toBeLessThanOrEqual(started + 300 * MINUTE);
    }
    provider.clock.time = started + 300 * MINUTE;
    expect(await isAlive(provider, session)).toBe(false);
  });

  soakIt('counts for sessions that are stored already', async () => {
    const login = await provider.signIn(uniqueEmail('stored'));
    await provider.services.db
      .updateTable('sessions')
      .set({ expires_at: new Date(provider.clock.time + 366 * DAY) })
      .where('session_id', '=', String(login['session']['session_id']))
      .execute();
    const checked = await extend(tokenOf(login), 60);
    expect(endOf(checked)).toBe(provider.clock.time + 300 * MINUTE);
    provider.clock.time += 301 * MINUTE;
    expect(await isAlive(provider, tokenOf(login))).toBe(false);
    expect(await isAlive(provider, checked.data['session_jwt'])).toBe(false);
  });
});

it.each([
  ['session_max_minutes', 4],
  ['session_max_minutes', 527_041],
  ['session_absolute_minutes', 0],
  ['session_absolute_minutes', 1.5],
])('a project file with %s %s is refused by the field’s name', (field, value) => {
  expect(() => projectFrom({ [field]: value })).toThrow(`${field} must be a whole number from 5 to 527040`);
});
