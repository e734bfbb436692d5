import { describe, expect, it } from 'vitest';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PASSWORD = 'violet tractor moon 88';
const minutes = { session_duration_minutes: 30 };

describe.each(EITHER_DATABASE)('a user on %s', (_, url) => {
  const provider = suiteProvider(url);

  const update = (session: string, body: Fields) => provider.call('PUT', '/users/me', body, { session });
  const remove = (session: string, path: string) => provider.call('DELETE', `/users/${path}`, undefined, { session });
  const me = async (session: string) => (await provider.call('GET', '/users/me', undefined, { session })).data;
  const tokenFor = async (email: string) => String((await provider.signIn(email))['session_token']);

  let last = 4000;
  async function addPhone(session: string): Promise<Fields> {
    const phone_number = `+1415555${(last += 1)}`;
    const { data } = await provider.post('/otps/sms/send/secondary', { phone_number }, { session });
    const token = (await provider.newest())?.code;
    return (await provider.post('/otps/authenticate', { token, method_id: data['method_id'], ...minutes }, { session }))
      .data;
  }

  it('changes their name, part by part, and gets the whole user beside what changed', async () => {
    const session = await tokenFor('name@example.com');
    const { data, status } = await update(session, { name: { first_name: 'Ada', last_name: 'L', nick_name: 'x' } });
    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(
      ['__user', 'crypto_wallets', 'emails', 'phone_numbers', 'request_id', 'status_code', 'user_id'].sort(),
    );
    expect(data['__user']['name']).toEqual({ first_name: 'Ada', middle_name: '', last_name: 'L' });
    await update(session, { name: { first_name: 'Ad\u00e9l \u{1f600}', last_name: null } });
    expect((await me(session))['name']).toEqual({ first_name: 'Ad\u00e9l \u{1f600}', middle_name: '', last_name: '' });
  });

  it.each([{ first_name: 5 }, { last_name: 'x'.repeat(129) }, { middle_name: 'a\0b' }, { first_name: '\ud800' }])(
    'is not named %j',
    async (name) => {
      const session = await tokenFor('name@example.com');
      const { status, body } = await update(session, { name });
      expect(status).toBe(400);
      expect(body['body']).toMatchObject([{ dataPath: ['name', Object.keys(name)[0]] }]);
    },
  );

  it('merges their metadata by top-level keys; null removes one', async () => {
    const session = await tokenFor('meta@example.com');
    await update(session, { untrusted_metadata: { a: { x: 1, y: 2 }, b: [1, 'two', null], c: true } });
    const { data } = await update(session, { untrusted_metadata: { a: { z: 3 }, c: null, none: null } });
    expect(data['__user']['untrusted_metadata']).toEqual({ a: { z: 3 }, b: [1, 'two', null] });
    expect(data['__user']['trusted_metadata']).toEqual({});
    expect((await update(session, {})).data['__user']['untrusted_metadata']).toEqual({
      a: { z: 3 },
      b: [1, 'two', null],
    });
  });

  it.each([
    ['more than 4 kB', `{"a":"${'x'.repeat(4096)}"}`],
    ['more than 4 kB of bytes', `{"a":"${'\u{1f600}'.repeat(1100)}"}`],
    ['what is nested too deep', `{"a":${'['.repeat(17)}${']'.repeat(17)}}`],
    ['what is nested far too deep', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['a prototype', '{"__proto__":{"polluted":true}}'],
    ['a constructor inside', '{"a":[{"constructor":{"prototype":{"polluted":true}}}]}'],
    ['NUL', '{"a":"\\u0000"}'],
    ['NUL in a key', '{"\\u0000":1}'],
    ['half a surrogate pair', '{"a":["\\ud800"]}'],
    ['a number that would become null', '{"a":[-1e400]}'],
  ])('does not keep %s', async (_name, metadata) => {
    const session = await tokenFor('meta@example.com');
    const raw = `{"untrusted_metadata":${metadata}}`;
    const reply = await provider.call('PUT', '/users/me', undefined, {
      session,
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(reply.body).toMatchObject({ status_code: 400, error_type: 'invalid_metadata' });
    expect(reply.body['error_message']).toMatch(/^untrusted_metadata must /u);
    expect(({} as Fields)['polluted']).toBeUndefined();
    provider.clock.time += 11 * 60_000;
  });

  soakIt('does not grow past 4 kB by many small changes, and loses none of those made at once', async () => {
    const session = await tokenFor('grow@example.com');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (__, at) => update(session, { untrusted_metadata: { [`k${at}`]: 'x'.repeat(500) } })),
    );
    const kept = replies.filter(({ status }) => status === 200).length;
    expect(kept).toBe(8);
    expect(Object.keys((await me(session))['untrusted_metadata'])).toHaveLength(kept);
  });

  it('needs a session to change anything', async () => {
    const paths = ['emails', 'phone_numbers', 'totps', 'crypto_wallets', 'oauth', 'webauthn_registrations', 'biometric_registrations']; // prettier-ignore
    for (const path of paths) {
      const { body } = await provider.call('DELETE', `/users/${path}/x`);
      expect(body).toMatchObject({ status_code: 401, error_type: 'user_unauthenticated' });
    }
    expect((await provider.call('PUT', '/users/me', {})).body['error_type']).toBe('user_unauthenticated');
  });

  it('lists contacts of one instant, as of an import, in the same order after a change of one', async () => {
    const { session_token: session, user_id } = await provider.signIn('listed@example.com');
    const { db, clock } = provider.services;
    const numbers = ['b', 'a', 'c'].map((phone_id, at) => ({
      user_id: String(user_id),
      phone_id,
      phone_number: `+1415555800${at}`,
      verified: true,
      created_at: new Date(clock.now()),
    }));
    await db.insertInto('phone_numbers').values(numbers).execute();
    const listed = async () => (await me(session))['phone_numbers'].map((each: Fields) => each['phone_id']);
    const before = await listed();
    // The update of an indexed column moves the row to the end of the table and of the index.
    const moved = db.updateTable('phone_numbers').set({ phone_number: '+14155558009' });
    await moved.where('phone_id', '=', before[0]).execute();
    expect(await listed()).toEqual(before);
  });

  it('removes an address, a number and an app of theirs', async () => {
    const start = await addPhone(await tokenFor('less@example.com'));
    const session = start['session_token'] as string;
    const totp = (await provider.post('/totps', { expiration_minutes: 60 }, { session })).data;
    const noTotp = await remove(session, `totps/${totp['totp_id']}`);
    expect(noTotp.data).toMatchObject({ user_id: start['user_id'], user: { totps: [] } });
    expect(noTotp.data['__user']).toEqual(noTotp.data['user']);
    const email_id = start['user']['emails'][0]['email_id'];
    const link = await provider.sendLink('less@example.com');
    const code = await provider.sendCode('less@example.com');
    expect((await remove(session, `emails/${email_id}`)).data['user']['emails']).toEqual([]);
    const opened = await provider.post('/magic_links/authenticate', { token: link, ...minutes });
    expect(opened.body['error_type']).toBe('unable_to_auth_magic_link');
    const entered = await provider.post('/otps/authenticate', {
      token: code.code,
      method_id: code.method_id,
      ...minutes,
    });
    expect(entered.body['error_type']).toBe('otp_code_not_found');
    expect((await provider.signIn('less@example.com'))['user_id']).not.toBe(start['user_id']);
  });

  it('cannot add a removed address again with a code that was sent before the removal', async () => {
    const { session_token: session, user } = await addPhone(await tokenFor('back@example.com'));
    const { phone_id, phone_number } = user['phone_numbers'][0];
    const { data } = await provider.post('/otps/sms/send/secondary', { phone_number }, { session });
    const { method_id } = data;
    const token = (await provider.newest())?.code;
    await remove(session, `phone_numbers/${phone_id}`);
    const back = await provider.post('/otps/authenticate', { token, method_id, ...minutes }, { session });
    expect(back.body['error_type']).toBe('otp_code_not_found');
  });

  soakIt('removes neither factors of other users nor unknown ones', async () => {
    const theirs = await addPhone(await tokenFor('theirs@example.com'));
    const session = theirs['session_token'] as string;
    const totp = (await provider.post('/totps', { expiration_minutes: 60 }, { session })).data;
    const other = await tokenFor('other@example.com');
    const { emails, phone_numbers } = theirs['user'];
    for (const [path, type] of [
      [`emails/${emails[0].email_id}`, 'email_not_found'],
      [`phone_numbers/${phone_numbers[0].phone_id}`, 'phone_number_not_found'],
      [`totps/${totp['totp_id']}`, 'totp_not_found'],
      ['crypto_wallets/x', 'crypto_wallet_not_found'],
      ['oauth/x', 'oauth_registration_not_found'],
      ['webauthn_registrations/x', 'webauthn_registration_not_found'],
      ['biometric_registrations/x', 'biometric_registration_not_found'],
      ['emails/%00', 'email_not_found'],
      ["emails/' or 1=1 --", 'email_not_found'],
      ['totps/__proto__', 'totp_not_found'],
    ]) {
      expect((await remove(other, path!)).body).toMatchObject({ status_code: 404, error_type: type });
    }
    expect(await me(session)).toMatchObject({ emails, phone_numbers, totps: [{ verified: false }] });
  });

  it('removes a passkey, a wallet and a social login of theirs', async () => {
    const { session_token: session, user_id } = await provider.signIn('more@example.com');
    const { db, clock } = provider.services;
    const created_at = new Date(clock.now());
    const wallet = { crypto_wallet_type: 'ethereum', crypto_wallet_address: '0xabc', created_at } as const;
    await db
      .insertInto('crypto_wallets')
      .values({ crypto_wallet_id: 'w1', user_id, ...wallet })
      .execute();
    const passkey = {
      domain: 'localhost', credential_id: 'c', public_key: 'k', user_handle: 'h', sign_count: 0, backup_eligible: false,
      transports: '[]', user_agent: '', authenticator_type: 'platform', name: 'Key', created_at,
    }; // prettier-ignore
    await db
      .insertInto('webauthn_registrations')
      .values({ webauthn_registration_id: 'p1', user_id, ...passkey })
      .execute();
    const other = await tokenFor('other@example.com');
    expect((await remove(other, 'crypto_wallets/w1')).status).toBe(404);
    expect((await remove(session, 'crypto_wallets/w1')).data['user']['crypto_wallets']).toEqual([]);
    expect((await remove(session, 'crypto_wallets/w1')).status).toBe(404);
    expect((await remove(session, 'webauthn_registrations/p1')).data['user']['webauthn_registrations']).toEqual([]);
  });

  soakIt('keeps the last way in, and of all removed at once keeps one', async () => {
    const only = await provider.signIn('only@example.com');
    const refused = await remove(only['session_token'], `emails/${only['user']['emails'][0]['email_id']}`);
    expect(refused.body).toMatchObject({ status_code: 400, error_type: 'cannot_delete_last_factor' });
    expect((await me(only['session_token']))['emails']).toHaveLength(1);

    const many = await provider.signIn('many@example.com');
    const { db, clock } = provider.services;
    const row = { user_id: String(many['user_id']), verified: true, created_at: new Date(clock.now()) };
    const numbers = Array.from({ length: 9 }, (__, at) => ({
      ...row,
      phone_id: `p${at}`,
      phone_number: `+1415555900${at}`,
    }));
    await db.insertInto('phone_numbers').values(numbers).execute();
    const paths = [`emails/${many['user']['emails'][0]['email_id']}`, ...numbers.map(({ phone_id }) => `phone_numbers/${phone_id}`)]; // prettier-ignore
    const replies = await Promise.all(paths.map((path) => remove(many['session_token'], path)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(1);
  });

  it('loses the password with the last address, because it is used with one', async () => {
    const made = await provider.post('/passwords', { email: 'gone@example.com', password: PASSWORD, ...minutes });
    const email_id = made.data['email_id'] as string;
    const refused = await remove(made.data['session_token'], `emails/${email_id}`);
    expect(refused.body['error_type']).toBe('cannot_delete_last_factor');
    const { session_token } = await addPhone(made.data['session_token']);
    const { data } = await remove(session_token, `emails/${email_id}`);
    expect(data['user']).toMatchObject({ emails: [], password: null });
    expect(await me(session_token)).toMatchObject({ password: null });
  });
});
