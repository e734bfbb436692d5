import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { makeProjectSecret } from '#provider/api/backend/credentials.ts';
import { InboxHub } from '#provider/messages/inbox-hub.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { basic, DATABASES, makeProvider, MINUTE, PUBLIC_TOKEN, type Fields, type Provider } from '../kit/harness.ts';

const PASSWORD = 'correct horse battery staple';
const MINUTES = { session_duration_minutes: 60 };

/** Every statement is a round trip to the database, so the number of them decides how many requests a server answers. */
describe.each(DATABASES)('the statements of a flow on %s', (_, url) => {
  let provider: Provider;
  let app: ReturnType<typeof createApp>;
  let statements = 0;
  let transactions = 0;
  let code = '';
  let backend = '';

  beforeAll(async () => {
    const inbox = new InboxHub();
    inbox.subscribe(
      (message) => void (code = message.code ?? ''),
      () => undefined,
    );
    provider = await makeProvider(url, { inbox });
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    };
    const db = provider.services.db.withPlugin(counting);
    const begin = db.transaction.bind(db);
    Object.assign(db, {
      transaction: () => {
        transactions += 1;
        return begin();
      },
    });
    // Not a developer's machine: all limits are counted, and networks are remembered.
    app = createApp({ ...provider.services, db, dev: false });
    backend = basic(DEMO_PROJECT.project_id, (await makeProjectSecret(provider.services, 'app')).secret);
    // The keys are read once in three seconds by the whole process; the clock stands still.
    await check((await signIn('first@example.com'))['session_token']);
  });
  afterAll(() => provider.close());
  beforeEach(() => {
    provider.clock.time += 10;
  });

  async function call(path: string, body: object, session = PUBLIC_TOKEN): Promise<Fields> {
    statements = 0;
    transactions = 0;
    const reply = await app.request(path, {
      method: 'POST',
      headers: { authorization: path.startsWith('/v1') ? backend : basic(PUBLIC_TOKEN, session), ...JSON_BODY },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as Fields;
    expect(reply.status, JSON.stringify(answer)).toBe(200);
    return (answer['data'] ?? answer) as Fields;
  }
  const JSON_BODY = { 'content-type': 'application/json' };
  const check = (session: string, body: object = {}) => call('/sdk/v1/sessions/authenticate', body, session);
  const send = (email: string) => call('/sdk/v1/otps/email/login_or_create', { email });
  const enter = (method_id: unknown) => call('/sdk/v1/otps/authenticate', { token: code, method_id, ...MINUTES });
  const signIn = async (email: string) => enter((await send(email))['method_id']);

  /** Read past the counter. */
  const recordedUse = async (): Promise<Date | undefined> => {
    const query = provider.services.db.selectFrom('sessions').select('last_accessed_at');
    return (await query.orderBy('last_accessed_at', 'desc').executeTakeFirst())?.last_accessed_at;
  };

  it('a check of a session takes one; those of a minute or later are recorded together', async () => {
    const { session_token, session_jwt } = await signIn('check@example.com');
    for (const secret of [session_token, session_jwt, session_token]) {
      const { session } = await check(secret);
      expect([statements, transactions]).toEqual([1, 0]);
      // A client subtracts it from the end, so that its own clock does not matter.
      expect(session['last_accessed_at']).toBe(new Date(provider.clock.time).toISOString());
    }
    await check(session_token, MINUTES);
    expect([statements, transactions]).toEqual([1, 0]);
    const longer = await check(session_token, { session_duration_minutes: 90 });
    expect([statements, transactions]).toEqual([2, 0]);
    expect(longer['session']['expires_at']).toBe(new Date(provider.clock.time + 90 * MINUTE).toISOString());
    for (const secret of [session_token, session_jwt]) {
      provider.clock.time += MINUTE;
      await check(secret);
      provider.clock.time += 1;
      const { session } = await check(secret);
      expect([statements, transactions]).toEqual([1, 0]);
      expect(session['last_accessed_at']).toBe(new Date(provider.clock.time).toISOString());
      await provider.services.uses.write();
      expect(await recordedUse()).toEqual(new Date(provider.clock.time));
    }
  });

  it('a login by passcode takes two to send it and seven to enter it', async () => {
    await signIn('code@example.com');
    for (let login = 0; login < 2; login += 1) {
      const { method_id } = await send('code@example.com');
      expect([statements, transactions]).toEqual([2, 0]);
      await enter(method_id);
      expect([statements, transactions]).toEqual([7, 1]);
    }
  });

  it('a login by password takes nine', async () => {
    const body = { email: 'password@example.com', password: PASSWORD, ...MINUTES };
    await call('/sdk/v1/passwords', body);
    await call('/sdk/v1/passwords/authenticate', body);
    expect([statements, transactions]).toEqual([9, 1]);
  });

  it('a user whom the app’s server makes takes seven, with an address, a number and an external id', async () => {
    // The first call records that the secret was used.
    await call('/v1/users', { email: 'made-first@example.com' });
    const whole = {
      email: 'made@example.com',
      phone_number: '+12025550123',
      external_id: 'made',
      name: { first_name: 'Ada' },
    };
    const { user_id, email_id, phone_id, user } = await call('/v1/users', whole);
    expect([statements, transactions]).toEqual([7, 1]);
    expect(user).toMatchObject({
      user_id,
      external_id: 'made',
      name: { first_name: 'Ada' },
      emails: [{ email_id, email: 'made@example.com', verified: false }],
      phone_numbers: [{ phone_id, phone_number: '+12025550123', verified: false }],
    });
    const audited = provider.services.db.selectFrom('audit_log').selectAll().where('user_id', '=', user_id);
    expect(await audited.execute()).toMatchObject([{ event: 'user_created', actor_kind: 'server', outcome: 'ok' }]);
  });
});
