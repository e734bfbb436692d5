import { describe, expect, it } from 'vitest';
import { assuranceFrom, profileFrom } from '#provider/accounts/social/providers/profiles.ts';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

describe.each(EITHER_DATABASE)('addresses in other scripts on %s', (_, url) => {
  const provider = suiteProvider(url);

  /** Logs in with the newest mail, whoever it is to. */
  async function signIn(email: string) {
    const { data } = await provider.post('/otps/email/login_or_create', { email });
    const mail = await provider.newest();
    const body = { token: mail?.code, method_id: data['method_id'], session_duration_minutes: 60 };
    const { data: entered } = await provider.post('/otps/authenticate', body);
    return { to: mail?.to, userId: String(entered['user_id']), user: entered['user'] };
  }

  it('are one account in every way to write them, and are kept as they were written first', async () => {
    const first = await signIn('Дана@Käse.example');
    expect(first.to).toBe('Дана@Käse.example');
    for (const email of ['дана@xn--kse-qla.example', 'ДАНА@ka\u0308se.EXAMPLE', 'Дана@Käse.example']) {
      const again = await signIn(email);
      expect(again.userId, email).toBe(first.userId);
      expect(again.to).toBe('Дана@Käse.example');
    }
    expect(first.user['emails']).toMatchObject([{ email: 'Дана@Käse.example', verified: true }]);
  });

  it('get their emails in composed letters, so that no mailbox of another spelling gets a code', async () => {
    const { to, userId } = await signIn('u\u0308nal@example.com');
    expect(to).toBe('\u00FCnal@example.com');
    expect((await signIn('\u00FCnal@example.com')).userId).toBe(userId);
  });

  it('stay two accounts when they only look alike', async () => {
    const ids = new Set<string>();
    for (const email of ['ılk@straße.example', 'ilk@straße.example', 'ilk@strasse.example', 'ılk@strаße.example']) {
      ids.add((await signIn(email)).userId);
    }
    expect(ids.size).toBe(4);
  });

  it.each([
    'ada@ｇmail.com',
    'ada@gm\u00ADail.com',
    'ada\u202E@example.com',
    '\u212Aate@example.com',
    'ada@a\u200Db.de',
  ])('are refused when software could take them for another: %j', async (email) => {
    const before = (await provider.inbox()).length;
    for (const path of ['/otps/email/login_or_create', '/magic_links/email/login_or_create', '/users/search']) {
      const { status, body } = await provider.post(path, { email });
      expect([path, status, body['error_type']]).toEqual([path, 400, 'invalid_email']);
    }
    expect(await provider.inbox()).toHaveLength(before);
  });

  it('find the account that was stored under the key of earlier versions', async () => {
    const { userId } = await signIn('eda@münchen.example');
    const { db } = provider.services;
    await db.updateTable('emails').set({ email_key: 'eda@münchen.example' }).where('user_id', '=', userId).execute();
    expect((await signIn('Eda@münchen.example')).userId).toBe(userId);
    const { data } = await provider.post('/users/search', { email: 'eda@münchen.example' });
    expect(data['userType']).toBe('passwordless');
    for (const written of ['eda@xn--mnchen-3ya.example', 'eda@MÜNCHEN.example', 'eda@mu\u0308nchen.example']) {
      expect([written, (await signIn(written)).userId]).toEqual([written, userId]);
    }
  });

  it('find the account of the person who verified the address, when a stranger took another key of it first', async () => {
    const { db } = provider.services;
    await provider.post('/otps/email/login_or_create', { email: 'stranger@example.com' });
    const { userId } = await signIn('ilse@münchen.example');
    const stranger = db.updateTable('emails').where('email_key', '=', 'stranger@example.com');
    await stranger.set({ email: 'ilse@münchen.example', email_key: 'ilse@münchen.example' }).executeTakeFirstOrThrow();
    expect((await signIn('ilse@münchen.example')).userId).toBe(userId);
    // Where both have proved it, each spelling leads where it always led.
    await db.updateTable('emails').set({ verified: true }).where('email_key', '=', 'ilse@münchen.example').execute();
    expect((await signIn('ilse@münchen.example')).userId).not.toBe(userId);
    expect((await signIn('ilse@xn--mnchen-3ya.example')).userId).toBe(userId);
  });
});

describe('an address that another provider vouches for', () => {
  const emailOf = (email: string) => profileFrom({ sub: '1', email, email_verified: true });

  it('is taken as it is', () => {
    expect(emailOf('дана@käse.example')).toMatchObject({ email: 'дана@käse.example', email_verified: true });
  });

  it.each(['ada@ｇmail.com', 'u\u0308nal@example.com', '\u212Aate@example.com', 'a\u200Bda@example.com'])(
    'is left out when its spelling is not that of its mailbox: %j',
    (email) => expect(emailOf(email)).toMatchObject({ email: '', email_verified: false }),
  );
});

describe('what another provider says of a person', () => {
  const LONE = '\uD83D';

  it('has no half of a character at the end of a long name', () => {
    const { name } = profileFrom({ sub: '1', name: `${'x'.repeat(99)}😀`, email_verified: false });
    expect(name).toBe('x'.repeat(99));
  });

  it('counts as absent where the database could not store it', () => {
    const { picture } = profileFrom({ sub: '1', picture: `https://example.com/${LONE}`, email_verified: false });
    expect(picture).toBe('');
    expect(assuranceFrom({ amr: ['pwd', LONE], acr: LONE })).toEqual({ amr: ['pwd'], acr: null });
  });
});
