import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockUser } from '#provider/accounts/users/lock.ts';
import { endFlow, takeFlow } from '#provider/accounts/social/logins/oauth-flows.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { EITHER_DATABASE, type Fields, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { browser, CHALLENGE } from '../kit/oauth-harness.ts';
import { SoftwareAuthenticator } from '../kit/webauthn-authenticator.ts';
import { oneOf, RACES } from '#tests/soak.ts';
import { consent, enrolTotp, makeTarget, redeemCode, uniqueEmail } from './attacker.ts';
import { bringAbout } from './flows/endings.ts';
import { isDone, type Flow } from './flows/flow.ts';
import { Stage, type Call } from './flows/people.ts';
import { ENDS_WITH_A_CHANGE } from './flows/pending.ts';
import { FLOWS } from './flows/table.ts';

/**
 * Somebody with a session of one factor begins everything that a session can begin. Then the account becomes stronger. Nothing that began
 * before is finished, in no session and by no server: it begins again, and its beginning asks what it asks now.
 */

/** They add a login method, or give an app lasting access. */
const PENDING = FLOWS.filter(({ endedBy }) => endedBy.includes('addition of a way in'));
/** They are begun by the word of the app's server as well. */
const VOUCHED = PENDING.filter(({ begunBy }) => begunBy.includes("the app's server"));
const TABLES = Object.entries(ENDS_WITH_A_CHANGE).flatMap(([table, end]) =>
  typeof end === 'string' ? [] : [[table, end.rows] as const],
);

describe.each(EITHER_DATABASE)('what a weak session has begun, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url);
  });
  afterAll(() => provider.close());

  /** The user in the session that becomes strong, whichever token it has then. */
  const owner = (stage: Stage): Call =>
    Object.assign(
      async (path: string, body: Fields = {}, method = 'POST') =>
        provider.call(method, path, body, { session: stage.own }),
      { party: 'the user' as const },
    );
  const enrol = async (stage: Stage) => {
    stage.own = (await enrolTotp(provider, stage.own)).session;
  };
  const begin = async (flow: Flow, stage: Stage) => {
    const started = await flow.play(stage, stage.call(flow.begunBy[0] ?? 'the user'));
    expect(isDone(started.reply), `${flow.name}: ${JSON.stringify(started.reply.body)}`).toBe(true);
    return started;
  };
  /**
   * Whether the user's enrolment that is there began after the wallet was added. Both transactions get their number when they have locked
   * the user, so that a row with the smaller one was there before the change.
   */
  const beganLater = async ({ user_id }: Stage): Promise<boolean> => {
    const numberOf = (table: 'totps' | 'crypto_wallets') => sql`select xmin::text::bigint as number
      from ${sql.table(table)} where user_id = ${user_id}`;
    const { rows } =
      await sql`select 1 from (${numberOf('totps')}) as enrolment, (${numberOf('crypto_wallets')}) as change
      where enrolment.number > change.number`.execute(provider.services.db);
    return rows.length > 0;
  };
  const describeReply = ({ status, body }: ProviderResponse) =>
    `${status} ${String(body['error_type'] ?? body['error'])}`;

  it.each(PENDING)('$name is not finished once the account has a second factor', async (flow) => {
    const stage = await Stage.build(provider);
    const { finish } = await begin(flow, stage);
    await enrol(stage);
    const reply = await finish(owner(stage));
    expect([isDone(reply), reply.status < 500], describeReply(reply)).toEqual([false, true]);
  });

  it.each(oneOf(3, PENDING))('$name is not finished by the session that became strong', async (flow) => {
    const stage = await Stage.build(provider);
    stage.own = (await stage.session('the user')) ?? '';
    const { finish } = await begin(flow, stage);
    await enrol(stage);
    expect(isDone(await finish(owner(stage)))).toBe(false);
  });

  it.each(oneOf(3, VOUCHED, 1))('$name that the app’s server began ends as well', async (flow) => {
    const stage = await Stage.build(provider);
    const started = await flow.play(stage, stage.call("the app's server"));
    expect(isDone(started.reply)).toBe(true);
    await enrol(stage);
    expect(isDone(await started.finish(stage.call("the app's server")))).toBe(false);
    expect(isDone(await started.finish(owner(stage)))).toBe(false);
  });

  it.each(oneOf(3, PENDING))('$name races with a change', async (flow) => {
    // Of two enrolments of an app the later one replaces the earlier one.
    const change = async (stage: Stage) =>
      flow.oncePerUser === true ? bringAbout('addition of a way in', stage, 0) : enrol(stage);
    for (let round = 0; round < RACES; round += 1) {
      const stage = await Stage.build(provider);
      // The beginning is ended by the change, or waits for it, and is then refused. A new wallet refuses no enrolment.
      const [begun] = await Promise.all([flow.play(stage, stage.call('the user')), change(stage)]);
      const isLater = flow.oncePerUser === true && (await beganLater(stage));
      if (isDone(begun.reply)) expect(isDone(await begun.finish(owner(stage)))).toBe(isLater);
      else expect([begun.reply.status < 500, flow.oncePerUser], describeReply(begun.reply)).toEqual([true, undefined]);
      const other = await Stage.build(provider);
      const { finish } = await begin(flow, other);
      const changing = change(other).then(
        () => true,
        () => false,
      );
      const [end, isChanged] = await Promise.all([finish(other.call('the user')), changing]);
      // The first one ends the other.
      expect(isDone(end) || isChanged).toBe(true);
      expect(end.status, JSON.stringify(end.body)).toBeLessThan(500);
    }
  });

  it.each(oneOf(3, PENDING, 2))('$name is not finished once the project asks for more', async (flow) => {
    const { project } = provider.services;
    const before = project.mfa;
    const stage = await Stage.build(provider);
    const { finish } = await begin(flow, stage);
    const rest = { trusted_devices: null, show_recovery_codes_again: true, recovery_hours: null };
    Object.assign(project, { mfa: { policy: 'required', factors: ['totp'], ...rest } });
    try {
      expect(isDone(await finish(stage.call('the user')))).toBe(false);
    } finally {
      Object.assign(project, { mfa: before });
    }
  });

  /** Rows of every table whose rows end, where the steps of the flows leave none. */
  async function fill(stage: Stage): Promise<void> {
    const { db } = provider.services;
    for (const flow of PENDING) await begin(flow, stage);
    const session = (await stage.session('the user')) ?? '';
    await provider.post('/oauth/attach', { provider: 'google' }, { session });
    const attach = await provider.post('/oauth/attach', { provider: 'google' }, { session });
    const oauth_attach_token = String(attach.data['oauth_attach_token']);
    await browser(provider).start('google', { method: 'POST', oauth_attach_token, code_challenge: CHALLENGE });
    const { user_id } = stage;
    const { session_id } = await db
      .selectFrom('sessions')
      .select('session_id')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow();
    const account = { provider_type: 'google', oauth_user_registration_id: user_id, identity: 'sealed' };
    await db
      .insertInto('pending_oauth_registrations')
      .values({ session_id, ...account })
      .execute();
    const at = new Date(provider.clock.time);
    const step = {
      token_hash: user_id,
      user_id,
      factors: '[]',
      minutes: null,
      session_id: null,
      new_session_id: 'new',
    };
    const ends = { created_at: at, expires_at: new Date(at.getTime() + 60_000) };
    const binding = { code_challenge: null, device_key: null, by_server: false, network: null };
    await db
      .insertInto('intermediate_sessions')
      .values({ ...step, ...binding, ...ends })
      .execute();
  }

  async function rowsOf(stage: Stage): Promise<Readonly<Record<string, boolean>>> {
    const found: Record<string, boolean> = {};
    for (const [table, rows] of TABLES) {
      const where = rows.replaceAll('$1', `'${stage.user_id}'`);
      const { rows: any } = await sql`select 1 from ${sql.table(table)} where ${sql.raw(where)}`.execute(
        provider.services.db,
      );
      found[table] = any.length > 0;
    }
    return found;
  }

  const all = (value: boolean) => Object.fromEntries(TABLES.map(([table]) => [table, value]));
  const setUser = async (stage: Stage, changes: { mfa_policy: 'required' } | { given_roles: string }) =>
    transaction(provider.services.db, async (tx) => {
      await lockUser(tx, stage.user_id);
      await tx.updateTable('users').set(changes).where('user_id', '=', stage.user_id).execute();
    });
  const CHANGES: readonly (readonly [string, (stage: Stage) => Promise<unknown>])[] = [
    ['a second factor is enrolled', enrol],
    ['a way in is added', (stage) => bringAbout('addition of a way in', stage, 0)],
    ['a way in is removed', (stage) => bringAbout('removal of another way in', stage, 0)],
    ['a password is set', (stage) => bringAbout('new password', stage, 0)],
    ['the app’s server requires a second factor', (stage) => setUser(stage, { mfa_policy: 'required' })],
    ['the app’s server gives another role', (stage) => setUser(stage, { given_roles: '["admin"]' })],
  ];

  it.each(oneOf(2, CHANGES))('no table has any of it after %s', async (_name, change) => {
    const stage = await Stage.build(provider);
    await fill(stage);
    expect(await rowsOf(stage)).toEqual(all(true));
    await change(stage);
    expect(await rowsOf(stage)).toEqual(all(false));
  });

  it('a change while a social provider is asked ends the attachment', async () => {
    const { services } = provider;
    const stage = await Stage.build(provider);
    const session = (await stage.session('the user')) ?? '';
    const attach = await provider.post('/oauth/attach', { provider: 'google' }, { session });
    const oauth_attach_token = String(attach.data['oauth_attach_token']);
    const browsing = browser(provider);
    const options = { method: 'POST', oauth_attach_token, code_challenge: CHALLENGE } as const;
    const started = await browsing.start('google', options);
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = started.headers.getSetCookie()[0] ?? '';
    const secret = /=([^;]*)/u.exec(cookie)?.[1] ?? '';
    const flow = await takeFlow(services, 'google', { state, browser: secret });
    expect(flow?.attachee?.user_id).toBe(stage.user_id);
    expect(await takeFlow(services, 'google', { state, browser: secret })).toBeUndefined();
    await enrol(stage);
    expect(await transaction(services.db, (tx) => endFlow(tx, state, flow?.attachee ?? null))).toBe(false);
  });

  describe('people lose nothing', () => {
    const silentPasskey = async (session: string) => {
      const asked = { domain: 'localhost', conditional_mediation: true };
      const { data } = await provider.post('/webauthn/register/start', asked, { session });
      const made = new SoftwareAuthenticator().create(
        JSON.parse(data['public_key_credential_creation_options']) as Fields,
        { present: false, verified: false },
      );
      const reply = await provider.post('/webauthn/register', { public_key_credential: made }, { session });
      expect(reply.status).toBe(200);
    };

    it('an app redeems its code after the page has made a passkey without a question', async () => {
      const { session_token } = await provider.signIn(uniqueEmail('silent'));
      const session = String(session_token);
      const code = (await consent(provider, session)).data['authorization_code'];
      await silentPasskey(session);
      expect(await redeemCode(provider, code)).toMatchObject({ token_type: 'Bearer' });
    });

    it('a code that another session gave ends with that passkey', async () => {
      const stage = await Stage.build(provider);
      const code = (await consent(provider, (await stage.session('the user')) ?? '')).data['authorization_code'];
      await silentPasskey(stage.own);
      expect(await redeemCode(provider, code)).toMatchObject({ error: 'invalid_grant' });
    });

    it('a login in another tab goes on, and an addition begins again', async () => {
      const stage = await Stage.build(provider);
      const login = await provider.post('/otps/email/login_or_create', { email: stage.email });
      const { code } = (await provider.newest(stage.email)) ?? {};
      await bringAbout('addition of a way in', stage, 0);
      const entered = { token: code, method_id: login.data['method_id'], session_duration_minutes: 60 };
      expect((await provider.post('/otps/authenticate', entered)).status).toBe(200);
      for (const flow of PENDING) {
        const again = await Stage.build(provider);
        await bringAbout('addition of a way in', again, 0);
        const { finish } = await begin(flow, again);
        expect(isDone(await finish(again.call('the user'))), flow.name).toBe(true);
      }
    });
  });
});
