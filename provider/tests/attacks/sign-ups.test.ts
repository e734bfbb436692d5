import { describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { oneOf } from '#tests/soak.ts';
import { fromServer, MINUTES } from './attacker.ts';
import { byWallet, FREE, LINK, PROJECT, SERVER_WAYS, somebody, TEXT, WAYS, withDoor } from './newcomers.ts';
import { listedIf } from '#tests/soak-tests.ts';

const DOMAINS: Partial<SignUpRules> = { domains: ['corp.example', 'bücher.example'] };
/** How a refused login ends; a code or link that was never sent is none. */
const NEVER = ['otp_code_not_found', 'unable_to_auth_magic_link', 'sign_up_refused'];
const SHUT = [
  ['closed', { policy: 'closed' }],
  ['invited', { policy: 'invited' }],
] as const;

describe.each(EITHER_DATABASE)('who may sign up, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const users = async (): Promise<number> => {
    const { count } = await provider.services.db
      .selectFrom('users')
      .select((query) => query.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const userIn = (sign_up: Partial<SignUpRules>) => withDoor(provider, sign_up);

  describe.each(WAYS.map((way, place) => ({ ...way, place })))('$name', (way) => {
    const { provesAddress, comesAgain, begin, place } = way;
    const shut = oneOf(2, SHUT, place);

    it('lets everybody in where sign-up is open', async () => {
      const door = userIn({});
      expect((await (await begin(door, somebody()))(door)).status).toBe(200);
    });

    it.each(shut)('makes no user while it is %s', async (__, sign_up) => {
      const door = userIn(sign_up);
      const before = await users();
      const { status, body } = await (await begin(door, somebody()))(door);
      expect(status).not.toBe(200);
      expect(NEVER).toContain(body['error_type']);
      expect(await users()).toBe(before);
    });

    it.each(shut)('that was begun while it was open lets nobody in once it is %s', async (__, sign_up) => {
      const finish = await begin(userIn({}), somebody());
      const before = await users();
      const { status, body } = await finish(userIn(sign_up));
      expect([status, body['error_type']]).toEqual([403, 'sign_up_refused']);
      expect(await users()).toBe(before);
      // The proof is not used up: it counts again once sign-up is open.
      expect((await finish(userIn({}))).status).toBe(200);
    });

    it('lets nobody in for whom a request made a user while it was open', async () => {
      const person = somebody();
      await Promise.all([LINK, TEXT].map((earlier) => earlier.begin(userIn({}), person)));
      for (const [, sign_up] of [...shut, ['domains', DOMAINS] as const]) {
        const door = userIn(sign_up);
        const { status, body } = await (await begin(door, person))(door);
        expect(NEVER).toContain(body['error_type']);
        expect(status).not.toBe(200);
      }
    });

    it('follows the domains', async () => {
      const door = userIn(DOMAINS);
      for (const domain of ['corp.example', 'bücher.example', 'xn--bcher-kva.example']) {
        const person = somebody(domain);
        const inside = await (await begin(door, person))(door);
        expect([domain, inside.status === 200]).toEqual([domain, provesAddress]);
      }
      for (const domain of ['example.com', 'mail.corp.example', 'notcorp.example', 'corp.example.com']) {
        const before = await users();
        expect([domain, (await (await begin(door, somebody(domain)))(door)).status === 200]).toEqual([domain, false]);
        expect(await users()).toBe(before);
      }
      const begun = await begin(userIn({}), somebody('example.com'));
      expect((await begun(door)).body['error_type']).toBe('sign_up_refused');
    });

    listedIf(comesAgain, it)('lets a user in who came before, whatever it is now', async () => {
      const person = somebody();
      const { data } = await (await begin(userIn({}), person))(userIn({}));
      for (const [, sign_up] of [...SHUT, ['domains', DOMAINS] as const]) {
        const door = userIn(sign_up);
        const again = await (await begin(door, person))(door);
        expect([again.status, again.data['user_id']]).toEqual([200, data['user_id']]);
      }
    });
  });

  it('a password and a wallet log in after sign-up was closed', async () => {
    const { email } = somebody();
    const password = 'correct horse battery staple 9';
    await provider.post('/passwords', { email, password, ...MINUTES });
    const door = userIn({ policy: 'closed' });
    expect((await door.post('/passwords/authenticate', { email, password, ...MINUTES })).status).toBe(200);
    // They may prove the address now, too.
    const person = { email, number: '' };
    expect((await (await LINK.begin(door, person))(door)).status).toBe(200);
    const own = new SoftwareWallet();
    const { begin } = byWallet(() => own, 'one wallet');
    const first = await (await begin(userIn({}), person))(userIn({}));
    const again = await (await begin(door, person))(door);
    expect([again.status, again.data['user_id']]).toEqual([200, first.data['user_id']]);
  });

  it.each(SERVER_WAYS)(
    'the app’s own server is refused plainly when it lets a visitor in by %s',
    async (__, path, body) => {
      for (const [, sign_up] of [...SHUT, ['domains', { domains: ['other.example'] }] as const]) {
        const door = userIn(sign_up);
        const before = await users();
        const messages = (await provider.inbox()).length;
        const reply = await fromServer(door, path, body(somebody()));
        expect([reply.status, reply.body['error_type']]).toEqual([403, 'sign_up_refused']);
        expect([await users(), (await provider.inbox()).length]).toEqual([before, messages]);
      }
    },
  );

  it('the reset of a password that was begun while it was open lets no user in who never came', async () => {
    const { email } = somebody();
    await fromServer(provider, '/magic_links/email/login_or_create', { email });
    await provider.post('/passwords/email/reset/start', { email });
    const token = new URL((await provider.newest(email))?.link ?? 'http://none').searchParams.get('token');
    const body = { token, password: 'correct horse battery staple 9', ...MINUTES };
    const refused = await userIn({ policy: 'closed' }).post('/passwords/email/reset', body);
    expect([refused.status, refused.body['error_type']]).toEqual([403, 'sign_up_refused']);
    expect((await provider.post('/passwords/email/reset', body)).status).toBe(200);
  });

  it('a user whom the server’s call made while it was open, and who never came, is refused', async () => {
    const { email, number } = somebody();
    await fromServer(provider, '/magic_links/email/login_or_create', { email });
    const door = userIn({ policy: 'invited' });
    await door.post('/passwords/email/reset/start', { email });
    const mails = (await provider.inbox()).filter(({ to }) => to === email);
    expect(mails).toHaveLength(1);
    const finish = await LINK.begin(door, { email, number });
    expect((await provider.newest(email))?.link).toBeUndefined();
    expect((await finish(door)).status).toBe(401);
    const again = await fromServer(door, '/magic_links/email/login_or_create', { email });
    expect(again.body['error_type']).toBe('sign_up_refused');
  });

  it('of many requests at once none makes a user while it is closed', async () => {
    const door = userIn({ policy: 'closed' });
    const [person, before] = [somebody(), await users()];
    const begun = await Promise.all(WAYS.flatMap((way) => [way, way]).map((way) => way.begin(door, person)));
    const replies = await Promise.all(begun.map((finish) => finish(door)));
    expect(replies.filter(({ status }) => status === 200 || status >= 500)).toEqual([]);
    expect(await users()).toBe(before);
  });

  it('of many requests at once that end while the door closes, each makes a whole user or none', async () => {
    const doors = [userIn({}), userIn({ policy: 'closed' })];
    const before = await users();
    const ways = WAYS.flatMap((way) => [way, way]);
    const begun = await Promise.all(ways.map((way) => way.begin(userIn({}), somebody())));
    const made = (await users()) - before;
    const replies = await Promise.all(begun.map((finish, at) => finish(doors[at % 2] ?? provider)));
    const expected = ways.map((__, at) => (at % 2 === 0 ? 200 : 403));
    expect(replies.map(({ status }) => status)).toEqual(expected);
    // Codes and links make their users when they are requested.
    const entered = ways.filter((__, at) => at % 2 === 0).length;
    const waiting = ways.filter(({ name }, at) => at % 2 === 0 && /passcode|link/u.test(name)).length;
    expect(await users()).toBe(before + made + entered - waiting);
  });

  it('gives roles to those who sign up or are invited, and to nobody else', async () => {
    const door = userIn({ roles: ['member', 'guest'] });
    const rolesOf = (data: Fields): unknown => (data['user'] as Fields | undefined)?.['roles'];
    for (const { name, begin } of WAYS) {
      const { data } = await (await begin(door, somebody()))(door);
      expect([name, rolesOf(data)]).toEqual([name, ['member', 'guest']]);
    }
    const invited = somebody();
    await fromServer(door, '/magic_links/email/invite', { email: invited.email });
    expect(rolesOf((await (await LINK.begin(door, invited))(door)).data)).toEqual(['member', 'guest']);
    const named = await fromServer(door, '/users', { email: somebody().email, roles: ['author'] });
    expect(rolesOf(named.body)).toEqual(['author']);
    const none = await fromServer(door, '/users', { email: somebody().email });
    expect(rolesOf(none.body)).toEqual([]);
    const before = somebody();
    const old = await (await LINK.begin(userIn({}), before))(userIn({}));
    expect(rolesOf((await (await LINK.begin(door, before))(door)).data)).toEqual(rolesOf(old.data));
  });
});
