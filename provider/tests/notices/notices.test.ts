import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { NOTICE_EVENTS } from '#provider/base/notices/events.ts';
import { removeUser } from '#provider/accounts/users/store.ts';
import {
  app,
  enrolTotp,
  makeTarget,
  MINUTES,
  passkey,
  secondAddress,
  uniqueEmail,
  wallet,
  type WayIn,
} from '../attacks/attacker.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { browserAt, codeFor } from '../attacks/places.ts';
import { noticesTo, tell } from './steps.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'correct horse battery staple 42';
const ALL = { factors: true, devices: true, recovery_codes: true, apps: true };

async function add(way: WayIn, session: string): Promise<Fields> {
  const reply = await (await way.begin(session))();
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
  return reply.data;
}

describe.each(EITHER_DATABASE)('what people are told, on %s', (_, url) => {
  let provider: Provider;
  let quiet: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { notices: ALL });
    quiet = await makeTarget(url);
  });
  afterAll(async () => {
    await provider.close();
    await quiet.close();
  });

  async function signedUp(at: Provider = provider) {
    const email = uniqueEmail('owner');
    const { session_token, user_id } = await at.signIn(email);
    // Two addresses of one moment have no order.
    at.clock.time += MINUTE;
    return { email, session: String(session_token), user_id: String(user_id) };
  }

  const textsTo = async (to: string, at: Provider = provider): Promise<readonly string[]> =>
    (await noticesTo(at, to)).map(({ text }) => text.split('\n\n')[0] ?? '');

  it('a sign-up tells nobody anything', async () => {
    const { email } = await signedUp();
    expect(await textsTo(email)).toEqual([]);
    const { rows } = await provider.services.db
      .selectFrom('notices')
      .selectAll()
      .execute()
      .then((found) => ({ rows: found.filter(({ details }) => details.value === email) }));
    expect(rows).toEqual([]);
  });

  soakIt(
    'a password that is set, and one that is changed, is told also where a project turned all other notices off',
    async () => {
      for (const at of [provider, quiet]) {
        const { email, session } = await signedUp(at);
        await at.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session });
        expect(await textsTo(email, at)).toEqual(['A password was set.']);
        const again = await at.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
        await at.post(
          '/passwords/session/reset',
          { password: `${PASSWORD}!`, ...MINUTES },
          { session: again.data['session_token'] },
        );
        const [, changed] = await noticesTo(at, email);
        expect(changed?.subject).toBe(`Your ${at.services.project.name} password was changed`);
        expect(changed?.text).toContain('Your password was changed.');
        expect(changed?.text).not.toContain(PASSWORD);
      }
    },
  );

  soakIt('another address is told to the first one, without the whole of it', async () => {
    const { email, session } = await signedUp(quiet);
    const { user } = await add(secondAddress(quiet), session);
    const second = String((user as Fields)['emails'][1]['email']);
    expect(await textsTo(email, quiet)).toEqual([`The email address ${second[0]}•••@example.com was added.`]);
    expect(await textsTo(second, quiet)).toEqual([]);
  });

  it('an address that is removed is told, and the others are', async () => {
    const { email, session } = await signedUp(quiet);
    const { user, session_token } = await add(secondAddress(quiet), session);
    await tell(quiet);
    const [first, second] = (user as Fields)['emails'] as readonly Fields[];
    const removal = `/users/emails/${String(first?.['email_id'])}`;
    const mine = { session: String(session_token) };
    expect((await quiet.call('DELETE', removal, undefined, mine)).status).toBe(200);
    const sentence = `The email address ${email[0]}•••@example.com was removed.`;
    expect((await textsTo(email, quiet)).join('\n')).toContain(sentence);
    expect((await textsTo(String(second?.['email']), quiet)).join('\n')).toContain(sentence);
  });

  it('an address that the app’s own server exchanges is told to the old one, without a link', async () => {
    const { email, user_id } = await signedUp(quiet);
    const reply = await quiet.app.request(`${BACKEND_PREFIX}/users/${user_id}/exchange_primary_factor`, {
      method: 'PUT',
      headers: {
        authorization: basic(quiet.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email_address: uniqueEmail('exchanged') }),
    });
    expect(reply.status).toBe(200);
    const [notice] = await noticesTo(quiet, email);
    expect(notice?.text).toContain('was removed.');
    expect(notice?.link).toBeUndefined();
  });

  it.each([
    ['a passkey', passkey, 'A passkey was added.'],
    ['a wallet', wallet, 'A wallet was added.'],
    ['an app', app, 'The app App was given access to your account.'],
  ])('%s is told where the project says so', async (__, way, sentence) => {
    const owner = await signedUp();
    await add(way(provider), owner.session);
    expect(await textsTo(owner.email)).toEqual([sentence]);
    const other = await signedUp(quiet);
    await add(way(quiet), other.session);
    expect(await textsTo(other.email, quiet)).toEqual([]);
  });

  soakIt('an authenticator app and a recovery code are told, without the code', async () => {
    const { email, session } = await signedUp();
    const enrolled = await enrolTotp(provider, session);
    const { session_token } = await provider.signIn(email);
    const recovery_code = enrolled.recovery_codes[0] ?? '';
    await provider.post('/totps/recover', { recovery_code, ...MINUTES }, { session: String(session_token) });
    const told = (await noticesTo(provider, email)).map(({ text }) => text).join('\n');
    expect(told).toContain('An authenticator app was added.');
    expect(told).toContain('A recovery code was used to log in.');
    for (const secret of [...enrolled.recovery_codes, enrolled.secret]) expect(told).not.toContain(secret);
  });

  it('a login in a new browser is told, and neither a known one in another network nor the first login', async () => {
    const email = uniqueEmail('traveller');
    const [home, away] = ['198.51.100.7', '203.0.113.9'];
    const login = async (browser: Pick<ReturnType<typeof browserAt>, 'post'>) => {
      const sent = await browser.post('/otps/email/login_or_create', { email });
      const code = await codeFor(provider, email);
      const reply = await browser.post('/otps/authenticate', {
        token: code,
        method_id: sent.data['method_id'],
        ...MINUTES,
      });
      expect(reply.status).toBe(200);
      await tell(provider);
    };
    const first = browserAt(provider.app, home);
    await login(first);
    await login(first);
    await login(browserAt(provider.app, away, first.cookies));
    expect(await textsTo(email)).toEqual([]);
    await login(browserAt(provider.app, home));
    const [notice] = await noticesTo(provider, email);
    expect(notice?.text).toContain('Someone logged in with a new device');
    expect(notice?.text).not.toContain(home);
    expect(notice?.link).toContain('/notices/undo?token=');
  });

  it('a number is told by text message where there is no address', async () => {
    const number = '+14155550177';
    const sent = await provider.post('/otps/sms/login_or_create', { phone_number: number });
    const code = (await provider.newest(number))?.code;
    const { data } = await provider.post('/otps/authenticate', {
      token: code,
      method_id: sent.data['method_id'],
      ...MINUTES,
    });
    await add(wallet(provider), String(data['session_token']));
    const [notice] = await noticesTo(provider, number);
    expect(notice).toMatchObject({ channel: 'sms', subject: '' });
    expect(notice?.text).toContain(`${provider.services.project.name}: A wallet was added.`);
  });

  it('is told in the language of the last message to the user', async () => {
    const email = uniqueEmail('deutsch');
    const sent = await provider.post('/otps/email/login_or_create', { email, locale: 'de' });
    const code = (await provider.newest(email))?.code;
    const { data } = await provider.post('/otps/authenticate', {
      token: code,
      method_id: sent.data['method_id'],
      ...MINUTES,
    });
    await add(wallet(provider), String(data['session_token']));
    expect(await textsTo(email)).toEqual(['Eine Wallet wurde hinzugefügt.']);
  });

  soakIt('many changes make few messages, and none is left out', async () => {
    const { email, session } = await signedUp();
    let current = session;
    for (let turn = 0; turn < 12; turn += 1) {
      current = String((await add(wallet(provider), current))['session_token']);
      await tell(provider);
    }
    const before = await noticesTo(provider, email);
    expect(before.length).toBeLessThanOrEqual(6);
    provider.clock.time += 61 * MINUTE;
    const after = (await noticesTo(provider, email)).map(({ text }) => text).join('\n');
    expect(after.split('A wallet was added.').length - 1).toBe(12);
  });

  it('processes that look at once tell each change once', async () => {
    const { email, session } = await signedUp();
    await add(wallet(provider), session);
    await Promise.all(Array.from({ length: 5 }, () => tell(provider)));
    expect(await textsTo(email)).toEqual(['A wallet was added.']);
  });

  it('a user who is deleted leaves neither notices nor links', async () => {
    const { session, user_id } = await signedUp();
    await add(wallet(provider), session);
    await tell(provider);
    await removeUser(provider.services.db, user_id);
    for (const table of ['notices', 'notice_links'] as const) {
      const rows = await provider.services.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute();
      expect(rows).toEqual([]);
    }
  });

  it('webhooks and the audit log have the events under the same names', async () => {
    const { db } = provider.services;
    const hook = `https://hooks.example/${randomUUID()}`;
    await db.insertInto('webhook_endpoints').values({ url: hook, events: null }).execute();
    const { email, session } = await signedUp();
    const { recovery_codes } = await enrolTotp(provider, session);
    const { session_token, user_id } = await provider.signIn(email);
    await provider.post(
      '/totps/recover',
      { recovery_code: recovery_codes[0], ...MINUTES },
      { session: String(session_token) },
    );
    await db.deleteFrom('webhook_endpoints').where('url', '=', hook).execute();
    const sent = await db.selectFrom('outbox').select('text').where('recipient', '=', hook).execute();
    const events = sent.map(({ text }) => (JSON.parse(text) as Fields)['type'] as string);
    expect(events).toContain('recovery_code.used');
    const logged = await db.selectFrom('audit_log').select('event').where('user_id', '=', String(user_id)).execute();
    expect(logged.map(({ event }) => event)).toContain('recovery_code_used');
    expect(NOTICE_EVENTS.every((event) => /^[a-z_]+\.[a-z]+$/u.test(event))).toBe(true);
  });
});
