import { describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { EITHER_DATABASE, MINUTE, type Provider, type ProviderResponse } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { fromServer, MINUTES } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody, WAYS, withDoor, type Person } from './newcomers.ts';

/** Bugs that users of other products reported about a sign-up that is not open to everybody: see tests/bug-reports.md. */

const PASSWORD = 'correct horse battery staple 9';
const wayNamed = (start: string) => {
  const way = WAYS.find(({ name }) => name.startsWith(start));
  if (way === undefined) throw new Error(`There is no way in by ${start}.`);
  return way;
};
const ACCOUNT = wayNamed('a social account with a verified');
const CODE = wayNamed('a passcode by email');

describe.each(EITHER_DATABASE)('a closed sign-up, as users of other products missed it, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const doorOf = (sign_up: Partial<SignUpRules>) => withDoor(provider, sign_up);
  const [closed, invited] = [() => doorOf({ policy: 'closed' }), () => doorOf({ policy: 'invited' })];
  const enter = async (door: Provider, person: Person, way = LINK): Promise<ProviderResponse> =>
    (await way.begin(door, person))(door);
  const isStored = async ({ email }: Person): Promise<boolean> => {
    const rows = provider.services.db.selectFrom('emails').select('email_id').where('email', '=', email);
    return (await rows.executeTakeFirst()) !== undefined;
  };
  const invite = async ({ email }: Person, fields: object = {}) => {
    const { status } = await fromServer(invited(), '/magic_links/email/invite', { email, ...fields });
    const token = new URL((await provider.newest(email))?.link ?? 'http://none').searchParams.get('token');
    return { status, open: () => invited().post('/magic_links/authenticate', { token, ...MINUTES }) };
  };

  it('a social account makes no user where only the form for a password was thought of', async () => {
    for (const door of [closed(), invited()]) {
      const person = somebody();
      expect((await enter(door, person, ACCOUNT)).body['error_type']).toBe('sign_up_refused');
      expect(await isStored(person)).toBe(false);
    }
  });

  it('a request for a link makes no row of a user for a stranger', async () => {
    const person = somebody();
    for (const path of ['/magic_links/email/login_or_create', '/otps/email/login_or_create']) {
      expect((await closed().post(path, { email: person.email })).status).toBe(200);
    }
    expect(await isStored(person)).toBe(false);
  });

  it('users from before log in while it is closed, by the ways that they had', async () => {
    const person = somebody();
    const { data } = await enter(provider, person);
    for (const way of [LINK, CODE, ACCOUNT]) {
      expect((await enter(closed(), person, way)).data['user_id']).toBe(data['user_id']);
    }
  });

  it('the server makes users while it is closed, who get a code at once', async () => {
    const person = somebody();
    const { status, body } = await fromServer(closed(), '/users', { email: person.email });
    expect(status).toBe(200);
    expect((await enter(closed(), person, CODE)).data['user_id']).toBe(body['user_id']);
  });

  it('an invited person comes in by a social account with the invited address', async () => {
    const person = somebody();
    await invite(person);
    expect((await enter(invited(), person, ACCOUNT)).status).toBe(200);
  });

  it('an invitation ends with its time, by the link and by every other way', async () => {
    const person = somebody();
    const { open } = await invite(person, { invite_expiration_minutes: 5 });
    provider.clock.time += 6 * MINUTE;
    expect((await open()).status).toBe(401);
    for (const way of [LINK, CODE, ACCOUNT]) expect((await enter(invited(), person, way)).status).not.toBe(200);
  });

  it('invitations that were revoked let nobody in, whatever the setting becomes', async () => {
    const person = somebody();
    const { open } = await invite(person);
    await fromServer(invited(), '/magic_links/email/revoke_invite', { email: person.email });
    for (const door of [invited(), doorOf({ domains: ['corp.example'] }), closed()]) {
      expect((await enter(door, person)).status).toBe(401);
    }
    expect((await open()).status).toBe(401);
  });

  it('a person whose invitation has expired is invited again', async () => {
    const person = somebody();
    await invite(person, { name: { first_name: 'Ada' }, invite_expiration_minutes: 5 });
    provider.clock.time += 6 * MINUTE;
    const again = await invite(person);
    expect(again.status).toBe(200);
    expect((await again.open()).status).toBe(200);
  });

  it('an invitation that was passed on is one for the invited address, once', async () => {
    const [person, friend] = [somebody(), somebody()];
    const { open } = await invite(person);
    expect((await enter(invited(), friend)).status).toBe(401);
    const { data } = await open();
    const { emails } = data['user'] as { emails: { email: string }[] };
    expect(emails.map(({ email }) => email)).toEqual([person.email]);
    expect((await open()).status).toBe(401);
  });

  it('a domain is the same in capitals, and its subdomains are others', async () => {
    const door = doorOf({ domains: ['Corp.Example'] });
    const person = somebody('CORP.example');
    expect((await enter(door, person)).status).toBe(200);
    for (const domain of ['sub.corp.example', 'corp.example.evil.example', 'evilcorp.example']) {
      expect((await enter(door, somebody(domain))).status).toBe(401);
    }
  });

  it('an invented address of an allowed domain has no session before somebody proves it', async () => {
    const door = doorOf({ domains: ['corp.example'] });
    const person = somebody('corp.example');
    const body = { email: person.email, password: PASSWORD, ...MINUTES };
    expect((await door.post('/passwords', body)).body['error_type']).toBe('sign_up_refused');
    const unproven = wayNamed('a social account with an address that nobody');
    expect((await enter(door, person, unproven)).body['error_type']).toBe('sign_up_refused');
    expect(await isStored(person)).toBe(false);
    expect((await enter(door, person)).status).toBe(200);
  });

  it('a mail comes to a user and to a stranger, so that none of them is found by the other', async () => {
    const [user, stranger] = [somebody(), somebody()];
    await enter(provider, user);
    for (const { email } of [user, stranger]) {
      const before = (await provider.inbox()).filter(({ to }) => to === email).length;
      await closed().post('/magic_links/email/login_or_create', { email });
      expect((await provider.inbox()).filter(({ to }) => to === email)).toHaveLength(before + 1);
    }
  });
});
