import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeUser } from '#provider/accounts/users/store.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { basic, EITHER_DATABASE, MINUTE, type Fields, type Provider } from '../kit/harness.ts';
import { newestLink, noticesTo, open, press, tell } from '../notices/steps.ts';
import {
  app,
  enrolTotp,
  isAlive,
  makeTarget,
  MINUTES,
  passkey,
  secondAddress,
  uniqueEmail,
  wallet,
} from './attacker.ts';
import { soakIt } from '#tests/soak-tests.ts';

/**
 * The link "This was not me" gives an owner back what an intruder changed. It is worth as much as the mailbox was before the change,
 * to nobody else, once, for seven days.
 */

const PASSWORD = 'correct horse battery staple 42';
const DAY = 24 * 60 * MINUTE;

describe.each(EITHER_DATABASE)('the link "This was not me", on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { notices: { factors: true } });
  });
  afterAll(() => provider.close());

  async function signedUp() {
    const email = uniqueEmail('owner');
    const { session_token, user_id } = await provider.signIn(email);
    return { email, session: String(session_token), user_id: String(user_id) };
  }
  /** Adds another address in a session; resolves with it, its id and the session's new token. */
  async function another(session: string) {
    const way = secondAddress(provider);
    provider.clock.time += MINUTE;
    const { data, status, body } = await (await way.begin(session))();
    if (status !== 200) throw new Error(JSON.stringify(body));
    const added = (data['user']['emails'] as readonly Fields[]).at(-1);
    return {
      way,
      email: String(added?.['email']),
      email_id: String(added?.['email_id']),
      session: String(data['session_token']),
    };
  }
  const firstIdOf = async (user_id: string): Promise<string> => {
    const { db } = provider.services;
    const rows = await db.selectFrom('emails').selectAll().where('user_id', '=', user_id).execute();
    return rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())[0]?.email_id ?? '';
  };
  const remove = async (session: string, email_id: string) =>
    provider.call('DELETE', `/users/emails/${email_id}`, undefined, { session });
  const addressesOf = async (user_id: string): Promise<readonly string[]> => {
    const { db } = provider.services;
    const rows = await db.selectFrom('emails').select('email').where('user_id', '=', user_id).execute();
    return rows.map(({ email }) => email).sort();
  };
  const linkTo = async (email: string): Promise<URL> => {
    const link = await newestLink(provider, email);
    if (link === null) throw new Error(`no link to ${email}`);
    return link;
  };

  it('takes an account back whose address an intruder in a session exchanged', async () => {
    const { email, session, user_id } = await signedUp();
    const thief = await another(session);
    await tell(provider);
    expect((await remove(thief.session, await firstIdOf(user_id))).status).toBe(200);
    expect(await addressesOf(user_id)).toEqual([thief.email]);
    await tell(provider);
    // The message about the addition came before the one about the removal: its link undoes both.
    const [added] = await noticesTo(provider, email);
    const link = new URL(added?.link ?? '');
    expect((await press(provider, link, 'undo')).status).toBe(200);
    expect(await addressesOf(user_id)).toEqual([email]);
    expect(await isAlive(provider, thief.session)).toBe(false);
    expect(await thief.way.enter()).not.toBe(user_id);
    expect((await provider.signIn(email))['user_id']).toBe(user_id);
  });

  it('does nothing when it is opened, so that mail scanners cannot press it', async () => {
    const { email, session, user_id } = await signedUp();
    const thief = await another(session);
    const link = await linkTo(email);
    for (let turn = 0; turn < 3; turn += 1) {
      const shown = await open(provider, link);
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('was added.');
      expect(shown.text).not.toContain(thief.email);
      expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
      expect(shown.text).not.toContain('<script');
    }
    const head = await provider.app.request(link.href, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await isAlive(provider, thief.session)).toBe(true);
    expect(await addressesOf(user_id)).toHaveLength(2);
  });

  soakIt('works once, also of ten at once', async () => {
    const { email, session, user_id } = await signedUp();
    await another(session);
    const link = await linkTo(email);
    const replies = await Promise.all(Array.from({ length: 10 }, () => press(provider, link, 'undo')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await addressesOf(user_id)).toEqual([email]);
    const mine = String((await provider.signIn(email))['session_token']);
    expect((await press(provider, link, 'undo')).status).toBe(404);
    expect(await isAlive(provider, mine)).toBe(true);
  });

  soakIt('is over after seven days, and when the user is deleted', async () => {
    const { email, session, user_id } = await signedUp();
    await another(session);
    const link = await linkTo(email);
    const start = provider.clock.time;
    provider.clock.time = start + 7 * DAY + 1000;
    expect((await open(provider, link)).status).toBe(404);
    expect((await press(provider, link, 'undo')).status).toBe(404);
    provider.clock.time = start;
    await removeUser(provider.services.db, user_id);
    expect((await press(provider, link, 'undo')).status).toBe(404);
    const again = String((await provider.signIn(email))['user_id']);
    expect(again).not.toBe(user_id);
  });

  soakIt('is not sent to an address that an intruder added, when the owner removes it', async () => {
    const { email, session, user_id } = await signedUp();
    const thief = await another(session);
    await tell(provider);
    const owner = String((await provider.signIn(email))['session_token']);
    expect((await remove(owner, thief.email_id)).status).toBe(200);
    const told = await noticesTo(provider, thief.email);
    expect(told.at(-1)?.text).toContain('was removed.');
    expect(told.map(({ link }) => link)).toEqual(told.map(() => undefined));
    expect(await addressesOf(user_id)).toEqual([email]);
  });

  soakIt('is not sent to a young address for what the owner does', async () => {
    const { email, session } = await signedUp();
    const thief = await another(session);
    await tell(provider);
    const owner = String((await provider.signIn(email))['session_token']);
    expect((await (await wallet(provider).begin(owner))()).status).toBe(200);
    expect(await newestLink(provider, email)).not.toBeNull();
    const told = (await noticesTo(provider, thief.email)).at(-1);
    expect(told?.text).toContain('A wallet was added.');
    expect(told?.link).toBeUndefined();
  });

  soakIt('for an earlier change does not bring back an address that the owner removed later', async () => {
    const { email, session, user_id } = await signedUp();
    const thief = await another(session);
    await tell(provider);
    provider.clock.time += 8 * DAY;
    const owner = String((await provider.signIn(email))['session_token']);
    const way = wallet(provider);
    const added = await (await way.begin(owner))();
    const link = await linkTo(thief.email);
    expect((await remove(String(added.data['session_token']), thief.email_id)).status).toBe(200);
    expect((await open(provider, link)).status).toBe(404);
    expect((await press(provider, link, 'undo')).status).toBe(404);
    expect(await addressesOf(user_id)).toEqual([email]);
    expect(await way.enter()).toBe(user_id);
  });

  soakIt('is not sent to who signed up with the address of another, when its owner verifies it', async () => {
    const victim = uniqueEmail('victim');
    const signUp = await provider.post('/passwords', { email: victim, password: PASSWORD, ...MINUTES });
    const thief = await another(String(signUp.data['session_token']));
    await (
      await wallet(provider).begin(thief.session)
    )();
    await tell(provider);
    const { user_id } = await provider.signIn(victim);
    expect(await addressesOf(String(user_id))).toEqual([victim]);
    const told = await noticesTo(provider, thief.email);
    expect(told.at(-1)?.link).toBeUndefined();
    for (const { link } of told) {
      if (link !== undefined) expect((await press(provider, new URL(link), 'undo')).status).toBe(404);
    }
    expect(await addressesOf(String(user_id))).toEqual([victim]);
  });

  it('removes no address of another user, and takes none from them', async () => {
    const { email, session, user_id } = await signedUp();
    const second = await another(session);
    await tell(provider);
    await remove(second.session, await firstIdOf(user_id));
    const link = await linkTo(email);
    // The owner of the mailbox has made another account of it meanwhile.
    const other = String((await provider.signIn(email))['user_id']);
    expect(other).not.toBe(user_id);
    expect((await press(provider, link, 'undo')).status).toBe(404);
    expect(await addressesOf(other)).toEqual([email]);
    expect(await addressesOf(user_id)).toEqual([second.email]);
  });

  soakIt('requires a new password, and removes what the intruder could enter with', async () => {
    const { email, session, user_id } = await signedUp();
    const set = await provider.post('/passwords/session/reset', { password: PASSWORD, ...MINUTES }, { session });
    await tell(provider);
    const way = passkey(provider);
    const planted = await (await way.begin(String(set.data['session_token'])))();
    expect(planted.status).toBe(200);
    expect(await way.enter()).toBe(user_id);
    expect((await press(provider, await linkTo(email), 'undo')).status).toBe(200);
    expect(await way.enter()).toBeNull();
    const login = await provider.post('/passwords/authenticate', { email, password: PASSWORD, ...MINUTES });
    expect(login.body['error_type']).toBe('reset_password');
  });

  it('does not remove an authenticator app at once: whoever reads the mailbox waits, and the owner can stop it', async () => {
    const { email, session, user_id } = await signedUp();
    await enrolTotp(provider, session);
    const link = await linkTo(email);
    expect((await press(provider, link, 'undo')).status).toBe(200);
    const { db } = provider.services;
    const totps = async () => db.selectFrom('totps').selectAll().where('user_id', '=', user_id).execute();
    expect(await totps()).toHaveLength(1);
    const stop = await linkTo(email);
    expect(stop.pathname).toBe('/notices/recovery');
    expect((await press(provider, stop, 'finish')).status).toBe(404);
    expect((await press(provider, stop, 'stop')).status).toBe(200);
    provider.clock.time += 2 * DAY;
    await tell(provider);
    expect(await totps()).toHaveLength(1);
  });

  soakIt(
    'says that an authenticator app stays where the project offers no recovery, and the app’s own server removes it',
    async () => {
      const strict = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled', recovery_hours: null }, notices: { factors: true } }); // prettier-ignore
      try {
        const email = uniqueEmail('owner');
        const { session_token, user_id } = await strict.signIn(email);
        const { totp_id } = await enrolTotp(strict, String(session_token));
        const link = await newestLink(strict, email);
        const shown = await open(strict, link ?? new URL('http://none'));
        expect(shown.text).toMatch(/This cannot be undone here:[^]*An authenticator app was added\./u);
        expect((await press(strict, link ?? new URL('http://none'), 'undo')).status).toBe(200);
        const authorization = basic(strict.services.project.project_id, DEV_SECRET);
        const path = `/v1/users/totps/${totp_id}`;
        expect((await strict.app.request(path, { method: 'DELETE', headers: { authorization } })).status).toBe(200);
        expect((await strict.signIn(email))['session']).toMatchObject({ user_id });
      } finally {
        await strict.close();
      }
    },
  );

  soakIt(
    'ends the access of an app that an intruder connected, and the owner’s own apps have to ask again',
    async () => {
      const { email, session, user_id } = await signedUp();
      const own = app(provider);
      await (
        await own.begin(session)
      )();
      const thief = await another(session);
      const connected = app(provider);
      await (
        await connected.begin(thief.session)
      )();
      expect(await connected.enter()).toBe(user_id);
      expect((await press(provider, await linkTo(email), 'undo')).status).toBe(200);
      expect([await connected.enter(), await own.enter()]).toEqual([null, null]);
      expect(await provider.services.db.selectFrom('oauth_grants').select('grant_id').where('user_id', '=', user_id).execute()).toEqual([]); // prettier-ignore
    },
  );

  it('is stored as a hash, and one that is guessed or of another kind is refused', async () => {
    const { email, session } = await signedUp();
    await another(session);
    const link = await linkTo(email);
    const token = link.searchParams.get('token') ?? '';
    const rows = await provider.services.db.selectFrom('notice_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(token).toHaveLength(43);
    for (const wrong of ['', 'x', `${token}x`, "' or 1=1", '\0']) {
      const other = new URL(link.href);
      other.searchParams.set('token', wrong);
      expect((await press(provider, other, 'undo')).status).toBe(404);
    }
    expect((await press(provider, new URL(link.href.replace('/undo', '/recovery')), 'stop')).status).toBe(404);
    expect(provider.traces).toEqual([]);
  });
});
