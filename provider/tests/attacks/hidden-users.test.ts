import { describe, expect, it } from 'vitest';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { codeHash } from '#provider/base/security/secrets.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { oneOf } from '#tests/soak.ts';
import { at } from './places.ts';
import { fromServer, MINUTES } from './attacker.ts';
import { countedStatements, FREE, LINK, PROJECT, somebody, withDoor } from './newcomers.ts';

const STRANGER = '198.51.100.1';
const PASSWORD = 'correct horse battery staple 9';
/** The headers that differ in every reply. */
const OWN_TO_A_REPLY = new Set(['date', 'x-request-id']);
const IDS = /(?:user|email|phone-number|request-id|passkey)-test-[0-9a-f-]+/gu;

const DOORS: readonly (readonly [string, Partial<SignUpRules>])[] = [
  ['closed', { policy: 'closed' }],
  ['by invitation', { policy: 'invited' }],
  ['for other domains', { domains: ['corp.example'] }],
];

type Call = readonly [path: string, bodyOf: (who: Who) => Fields, messages: 'a mail' | 'none to strangers' | 'none'];
interface Who {
  readonly email: string;
  readonly phone_number: string;
}

const email = ({ email: address }: Who): Fields => ({ email: address });
const phone = ({ phone_number }: Who): Fields => ({ phone_number });

const CALLS: readonly Call[] = [
  ['/magic_links/email/login_or_create', email, 'a mail'],
  ['/magic_links/email/send/primary', email, 'a mail'],
  ['/otps/email/login_or_create', email, 'a mail'],
  ['/otps/email/send/primary', email, 'a mail'],
  ['/otps/sms/login_or_create', phone, 'none to strangers'],
  ['/otps/sms/send/primary', phone, 'none to strangers'],
  ['/otps/whatsapp/login_or_create', phone, 'none to strangers'],
  ['/passwords/email/reset/start', email, 'none to strangers'],
  ['/users/search', email, 'none'],
  ['/passwords', (who) => ({ ...email(who), password: PASSWORD, ...MINUTES }), 'none'],
  ['/passwords', (who) => ({ ...email(who), password: 'weak', ...MINUTES }), 'none'],
  ['/webauthn/sign_up/start', (who) => ({ ...email(who), domain: 'localhost' }), 'none'],
];

describe.each(EITHER_DATABASE)('what a stranger learns where sign-up is not open, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const numberOf = (): string => somebody().number;

  /** A user with a proven address and number, and people without a user who may log in. */
  async function people() {
    const known = { email: somebody().email, phone_number: numberOf() };
    const { user_id } = (await provider.signIn(known.email)) as { user_id: string };
    await provider.services.db
      .insertInto('phone_numbers')
      .values({
        phone_id: `phone-number-test-${crypto.randomUUID()}`,
        user_id,
        phone_number: known.phone_number,
        verified: true,
        created_at: new Date(),
        added_in: null,
      })
      .execute();
    const waiting = { email: somebody().email, phone_number: numberOf() };
    // Requested while sign-up was open: rows without a user who came in.
    await provider.sendCode(waiting.email);
    await provider.post('/otps/sms/login_or_create', { phone_number: waiting.phone_number });
    return { known, strangers: [{ email: somebody().email, phone_number: numberOf() }, waiting] };
  }

  it.each(DOORS)('%s: nothing, by any reply, its work or the number of messages', async (__, sign_up) => {
    const { counted, statements } = countedStatements(provider);
    const door = withDoor(counted, sign_up);
    const { known, strangers } = await people();
    const seen = async (path: string, who: Who, body: Fields) => {
      const before = new Set((await provider.inbox()).map(({ id }) => id));
      statements.length = 0;
      const reply = await at(door.app, STRANGER).post(path, body);
      const work = [...statements];
      const sent = (await provider.inbox()).filter(({ id }) => !before.has(id));
      expect(sent.every(({ to }) => to === who.email || to === who.phone_number)).toBe(true);
      const headers = [...reply.headers].filter(([name]) => !OWN_TO_A_REPLY.has(name));
      const shown = JSON.stringify(reply.body).replaceAll(IDS, 'ID');
      return { sent, view: { status: reply.status, shown, headers, work } };
    };
    for (const [path, bodyOf, messages] of CALLS) {
      provider.clock.time += 24 * 60 * MINUTE;
      const owner = await seen(path, known, bodyOf(known));
      expect([path, owner.sent.length]).toEqual([path, messages === 'none' ? 0 : 1]);
      for (const stranger of strangers) {
        const other = await seen(path, stranger, bodyOf(stranger));
        expect([path, other.view]).toEqual([path, owner.view]);
        expect([path, other.sent.length]).toEqual([path, messages === 'a mail' ? 1 : 0]);
        for (const { code, link, text } of other.sent) {
          expect([code, link]).toEqual([undefined, undefined]);
          expect(text).toContain('There is no account with it');
        }
      }
    }
  });

  it.each(DOORS)('%s: nothing by the work for a wrong code or password', async (__, sign_up) => {
    const { counted, statements } = countedStatements(provider);
    const door = withDoor(counted, sign_up);
    const { known, strangers } = await people();
    const work = async (who: Who) => {
      provider.clock.time += 24 * 60 * MINUTE;
      const place = at(door.app, STRANGER);
      const seen: unknown[] = [];
      for (const [kind, body] of [
        ['email', email(who)],
        ['sms', phone(who)],
      ] as const) {
        const method_id = String((await place.post(`/otps/${kind}/login_or_create`, body)).data['method_id']);
        statements.length = 0;
        const reply = await place.post('/otps/authenticate', { token: '000000', method_id, ...MINUTES });
        seen.push([reply.status, reply.body['error_type'], ...statements]);
      }
      statements.length = 0;
      const body = { ...email(who), password: PASSWORD, ...MINUTES };
      const login = await place.post('/passwords/authenticate', body);
      seen.push([login.status, login.body['error_type'], ...statements]);
      return seen;
    };
    const owner = await work(known);
    for (const stranger of strangers) expect(await work(stranger)).toEqual(owner);
  });

  it.each(oneOf(3, DOORS))('%s: nothing by what becomes of wrong codes', async (__, sign_up) => {
    // A network has half of a day's tries at one contact, by all of its sends together.
    const dailyTriesPerPasscode = { max: 16, windowMs: 24 * 60 * MINUTE };
    const door = withDoor(provider, sign_up, { ...FREE, dailyTriesPerPasscode });
    const { known, strangers } = await people();
    const endings = async (who: Who, kind: 'email' | 'sms') => {
      provider.clock.time += 24 * 60 * MINUTE;
      const place = at(door.app, STRANGER);
      const send = async () =>
        String(
          (await place.post(`/otps/${kind}/login_or_create`, kind === 'email' ? email(who) : phone(who))).data[
            'method_id'
          ],
        );
      const [first, second] = [await send(), await send()];
      expect(first).not.toBe(second);
      const tries: unknown[] = [];
      const enter = async (method_id: string, token: string) => {
        const { status, body } = await place.post('/otps/authenticate', { token, method_id, ...MINUTES });
        tries.push([status, body['error_type'], body['error_details']]);
      };
      for (const method_id of [first, second]) {
        for (let i = 0; i < 7; i += 1) await enter(method_id, '000000');
      }
      const last = await send();
      provider.clock.time += 30 * MINUTE;
      await enter(last, '000000');
      return tries;
    };
    for (const kind of ['email', 'sms'] as const) {
      const owner = await endings(known, kind);
      expect(JSON.stringify(owner)).toMatch(/wrong.*tries_used.*user_lock_limit_reached.*expired/u);
      for (const stranger of strangers) expect(await endings(stranger, kind)).toEqual(owner);
    }
  });

  it('nothing by the limits of messages, and a stranger’s mailbox gets no more than an owner’s', async () => {
    const door = withDoor(provider, { policy: 'closed' }, DEFAULT_LIMITS);
    const { known, strangers } = await people();
    const sends = async (who: Who) => {
      provider.clock.time += 24 * 60 * MINUTE;
      const before = (await provider.inbox()).filter(({ to }) => to === who.email).length;
      const statuses: number[] = [];
      for (let i = 0; i < 12; i += 1) {
        const path = i % 2 === 0 ? '/magic_links/email/login_or_create' : '/otps/email/login_or_create';
        statuses.push((await at(door.app, STRANGER).post(path, email(who))).status);
      }
      const mails = (await provider.inbox()).filter(({ to }) => to === who.email).length - before;
      return { statuses, mails };
    };
    const owner = await sends(known);
    expect(owner.statuses).toContain(429);
    expect(owner.mails).toBe(owner.statuses.filter((status) => status === 200).length);
    for (const stranger of strangers) expect(await sends(stranger)).toEqual(owner);
  });

  it('the same ids for the same address, in any spelling, and other ids for another', async () => {
    const door = withDoor(provider, { policy: 'closed' });
    const idOf = async (address: string): Promise<unknown> => {
      provider.clock.time += 60 * MINUTE;
      return (await door.post('/magic_links/email/login_or_create', { email: address })).data['user_id'];
    };
    const who = somebody().email;
    const first = await idOf(who);
    expect(first).toMatch(/^user-test-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(await idOf(who.toUpperCase())).toBe(first);
    expect(await idOf(`x${who}`)).not.toBe(first);
    // Not the id of a user either, which somebody may know from elsewhere.
    const known = somebody().email;
    const { user_id } = await provider.signIn(known);
    expect(await idOf(known)).not.toBe(user_id);
    expect(await idOf(known)).toBe(await idOf(known));
  });

  it('a decoy lets nobody in, even with its code, and belongs to nobody', async () => {
    const door = withDoor(provider, { policy: 'closed' });
    const sent = await door.post('/otps/sms/login_or_create', { phone_number: numberOf() });
    const passcode_id = String(sent.data['method_id']);
    const { db } = provider.services;
    const rows = db.selectFrom('passcodes').selectAll().where('passcode_id', '=', passcode_id);
    expect(await rows.executeTakeFirst()).toMatchObject({ user_id: null, adds_to: null });
    const code_hash = codeHash(provider.services.keys.codeKey, passcode_id, '428193');
    await db.updateTable('passcodes').set({ code_hash }).where('passcode_id', '=', passcode_id).execute();
    const entered = await door.post('/otps/authenticate', { token: '428193', method_id: passcode_id, ...MINUTES });
    expect([entered.status, entered.body['error_details']]).toEqual([404, { reason: 'wrong' }]);
  });

  it('the app’s own server learns what it learnt before', async () => {
    const door = withDoor(provider, { policy: 'invited' });
    const { known, strangers } = await people();
    const ask = (who: Who) => fromServer(door, '/magic_links/email/send', email(who));
    expect((await ask(known)).status).toBe(200);
    expect((await ask(strangers[0] ?? known)).body['error_type']).toBe('email_not_found');
  });

  it('everything as before where sign-up is open', async () => {
    const { known, strangers } = await people();
    const [stranger = known] = strangers;
    const search = async (who: Who) => (await provider.post('/users/search', email(who))).data['userType'] as string;
    expect([await search(known), await search(stranger)]).toEqual(['passwordless', 'new']);
    const to = await provider.post('/magic_links/email/send/primary', email(stranger));
    expect(to.body['error_type']).toBe('email_not_found');
    const text = await provider.post('/otps/sms/send/primary', phone(stranger));
    expect(text.body['error_type']).toBe('phone_number_not_found');
    const person = { email: stranger.email, number: stranger.phone_number };
    expect((await (await LINK.begin(provider, person))(provider)).status).toBe(200);
  });
});
