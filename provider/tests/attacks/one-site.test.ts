import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { lockOut, unlock } from '#provider/operation/operators/users/actions.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { EITHER_DATABASE, makeProvider, MINUTE, type Provider } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { at, browserAt, codeFor, subnets, type Place } from './places.ts';

const minutes = { session_duration_minutes: 600 };
const HOME = '203.0.113.1';
const HOTEL = '203.0.113.200';
const AWAY = '203.0.113.50';
const GOOD = 'correct horse battery staple 9';
const DAY = 24 * 60 * MINUTE;

/** Passwords are hashed here, and not judged. */
const UNJUDGED = { password_strength_policy: 'none', breach_detection: false };

/** In soaks the limits of the product, else smaller ones: each text and each password costs time. */
const TEXTS = { ...DEFAULT_LIMITS.textsPerNetwork, ...(SOAK ? {} : { max: 16 }) };
const PASSWORDS = { max: SOAK ? 20 : 6, windowMs: MINUTE };

/** How many networks text, and how many guess in an hour: more than the limits let through. */
const TEXTERS = SOAK ? 200 : 26;
const GUESSERS = SOAK ? 100 : 20;

let made = 0;
const newAddress = (): string => `owner${(made += 1)}@example.com`;
const newNumber = (): string => `+1415${String(5_550_000 + (made += 1))}`;

describe.each(EITHER_DATABASE)('an attacker with one IPv6 /48, on %s', (_, url) => {
  let provider: Provider;
  const overBudget: string[] = [];
  beforeAll(async () => {
    const project = projectFrom({ ...UNJUDGED, sms_budgets: { GB: 5 } });
    const metrics = { ...NO_METRICS, spentTextBudget: (country: string) => void overBudget.push(country) };
    const limits = { ...DEFAULT_LIMITS, textsPerNetwork: TEXTS, passwordsPerNetwork: PASSWORDS };
    provider = await makeProvider(url, { project, metrics, limits });
  });
  afterAll(() => provider.close());
  beforeEach(() => {
    provider.clock.time += 2 * DAY;
  });

  const place = (address: string): Place => at(provider.app, address);
  const text = (from: Place, phone_number: string) => from.post('/otps/sms/login_or_create', { phone_number });
  const mail = (from: Place, email: string) => from.post('/otps/email/login_or_create', { email });
  const enter = (from: Place, email: string, password: string) =>
    from.post('/passwords/authenticate', { email, password, ...minutes });
  const sent = (replies: readonly { readonly status: number }[]) =>
    replies.filter(({ status }) => status === 200).length;

  it('sends little more texts than with one IPv4 address', async () => {
    const replies = [];
    for (const [index, network] of subnets(TEXTERS).entries()) {
      // Each to another range of numbers, in a country that is large enough.
      replies.push(await text(place(network), `+1${212 + (index % 3)}${200 + index}0100`));
    }
    expect(sent(replies)).toBe(Math.ceil(1.5 * TEXTS.max));
    expect(replies.at(-1)?.body['error_type']).toBe('too_many_requests');
    expect((await text(place(HOME), newNumber())).status).toBe(200);
  });

  it('a budget of a country ends what many networks send there, with one warning, and owners still get theirs', async () => {
    const owner = '+447400123456';
    const home = browserAt(provider.app, HOME);
    const { method_id } = (await text(home, owner)).data;
    await home.post('/otps/authenticate', { token: await codeFor(provider, owner), method_id, ...minutes });
    provider.clock.time += 2 * 60 * MINUTE;
    const before = provider.logged.length;
    const replies = [];
    for (let network = 0; network < 9; network += 1) {
      replies.push(await text(place(`198.51.100.${network + 1}`), `+4474001${network}0000`));
    }
    expect(sent(replies)).toBe(5);
    const refused = replies.at(-1);
    expect(refused?.body).toMatchObject({
      error_type: 'too_many_requests',
      error_message: 'Too many texts are being sent to this country. Log in by email, or try again later.',
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const warned = provider.logged.slice(before).filter((line) => line.includes('SMS pumping'));
    expect(warned).toHaveLength(1);
    expect(warned[0]).toContain('sms_budgets.GB');
    expect(overBudget).toEqual(['GB', 'GB', 'GB', 'GB']);
    expect((await text(home, owner)).status).toBe(200);
    expect((await text(browserAt(provider.app, HOTEL, home.cookies), owner)).status).toBe(200);
    expect((await text(place(AWAY), newNumber())).status).toBe(200);
  });

  soakIt(
    'takes half of the messages that strangers have sent to an address: its owner gets one in a new place',
    async () => {
      const email = newAddress();
      await mail(place(HOME), email);
      const replies = [];
      for (const network of subnets(59)) replies.push(await mail(place(network), email));
      expect(sent(replies)).toBeLessThanOrEqual(DEFAULT_LIMITS.dailySendsPerAddress.max / 2);
      expect((await mail(place(AWAY), email)).status).toBe(200);
    },
  );

  soakIt('hundreds of wrong passwords end after a few, and keep the owner out nowhere', async () => {
    const email = newAddress();
    const home = browserAt(provider.app, HOME);
    await home.post('/passwords', { email, password: GOOD, ...minutes });
    expect((await enter(home, email, GOOD)).status).toBe(200);
    let compared = 0;
    for (let hour = 0; hour < 10; hour += 1) {
      const replies = await Promise.all(subnets(GUESSERS).map((network) => enter(place(network), email, 'wrong')));
      compared += replies.filter(({ status }) => status === 401).length;
      provider.clock.time += 60 * MINUTE;
    }
    // Fifteen an hour, until they are half of what slows strangers down, and then two an hour.
    expect(compared).toBeLessThan(90);
    const crowd = subnets(GUESSERS).map((network) => enter(place(network), email, 'wrong'));
    await Promise.all(crowd);
    // With the browser's cookie, in the network of the strangers themselves.
    const shared = subnets(1)[0] ?? '';
    expect((await enter(browserAt(provider.app, shared, new Map(home.cookies)), email, GOOD)).status).toBe(200);
    // In a network from which the owner logs in, and in a new one.
    expect((await enter(place(HOME), email, GOOD)).status).toBe(200);
    expect((await enter(place(AWAY), email, GOOD)).status).toBe(200);
    // The mailbox is a way in as well.
    expect((await mail(place('203.0.113.51'), email)).status).toBe(200);
  });

  it('has few hashes made for it, whatever addresses it names', async () => {
    const replies = [];
    for (const [index, network] of subnets(SOAK ? 50 : 15).entries()) {
      replies.push(await enter(place(network), `nobody${index}@example.com`, 'wrong'));
    }
    const most = Math.ceil(1.5 * PASSWORDS.max);
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(most);
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await enter(place(HOME), newAddress(), 'wrong')).status).toBe(401);
  });
});

const limits = {
  ...DEFAULT_LIMITS,
  failuresPerUser: { max: 3, windowMs: 60 * MINUTE },
  strangerFailuresPerUser: { max: 2, windowMs: DAY },
};

describe.each(EITHER_DATABASE)('device cookies, on %s', (_, url) => {
  const provider = suiteProvider(url, { limits, project: projectFrom(UNJUDGED) });
  beforeEach(() => {
    provider.clock.time += 2 * DAY;
  });
  const enter = (from: Place, email: string, password: string) =>
    from.post('/passwords/authenticate', { email, password, ...minutes });
  const browser = (address: string, cookies?: ReadonlyMap<string, string>) =>
    browserAt(provider.app, address, new Map(cookies));

  /** An owner who logged in at home, whose address strangers have spent. */
  async function besieged(siege = true) {
    const email = newAddress();
    const home = browser(HOME);
    const { data } = await home.post('/passwords', { email, password: GOOD, ...minutes });
    if (siege) await besiege(email);
    return { email, home, user_id: String(data['user_id']), session: String(data['session_token']) };
  }
  async function besiege(email: string): Promise<void> {
    for (let network = 0; network < 24; network += 1) {
      const { status } = await enter(at(provider.app, `198.51.100.${network + 1}`), email, 'wrong');
      if (status === 429) break;
    }
    expect((await enter(at(provider.app, AWAY), email, GOOD)).status).toBe(429);
  }

  soakIt('let the owner in anywhere while strangers guess, and no one without the password', async () => {
    const { email, home } = await besieged();
    const [cookie] = home.cookies.values();
    expect(cookie).toMatch(/^1\.[\w-]{44}\.[\w-]{43}$/u);
    const reply = await enter(browser(AWAY, home.cookies), email, GOOD);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('set-cookie')).toMatch(
      /^portico_device=.*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/u,
    );
    // It is no login: without the session nothing is shown.
    const away = browser(AWAY, home.cookies);
    expect((await away.post('/passwords/session/reset', { password: `${GOOD}.` })).status).toBe(401);
  });

  it('give a thief a few tries, whose lock-out leaves the owner what strangers have', async () => {
    const { email, home } = await besieged(false);
    const thief = browser('198.51.100.90', home.cookies);
    const tries = [];
    for (let tried = 0; tried < 3; tried += 1) tries.push((await enter(thief, email, 'wrong')).status);
    expect(tries).toEqual([401, 401, 401]);
    // The browser counts like a stranger from now on.
    expect((await enter(thief, email, GOOD)).status).toBe(200);
    await besiege(email);
    expect((await enter(browser(AWAY, home.cookies), email, GOOD)).status).toBe(429);
    expect((await enter(browser(HOME, home.cookies), email, GOOD)).status).toBe(200);
  });

  soakIt('are of no use to whoever changes or plants them, or copies one before the next login', async () => {
    const { email, home } = await besieged();
    const [name = '', value = ''] = [...home.cookies][0] ?? [];
    const planted = browser('198.51.100.77');
    const attacker = newAddress();
    await planted.post('/passwords', { email: attacker, password: GOOD, ...minutes });
    const foreign = [...planted.cookies.values()][0] ?? '';
    const changed = [
      value.replace(/.$/u, (last) => (last === 'A' ? 'B' : 'A')),
      value.replace(/^1\.(.)/u, (__, first: string) => `1.${first === 'A' ? 'B' : 'A'}`),
      `1.${value.slice(2, 46)}.${foreign.slice(47)}`,
      foreign,
      'x'.repeat(4000),
      '1..',
    ];
    for (const text of changed) {
      expect((await enter(browser(AWAY, new Map([[name, text]])), email, GOOD)).status).toBe(429);
    }
    // The owner logs in with the attacker's cookie in their browser: the attacker's copy is no better for it.
    expect((await enter(browser(HOME, planted.cookies), email, GOOD)).status).toBe(200);
    expect((await enter(browser(AWAY, planted.cookies), email, GOOD)).status).toBe(429);
    const stolen = new Map(home.cookies);
    expect((await enter(home, email, GOOD)).status).toBe(200);
    expect((await enter(browser(AWAY, stolen), email, GOOD)).status).toBe(429);
    expect((await enter(browser(AWAY, home.cookies), email, GOOD)).status).toBe(200);
  });

  soakIt('end with a reset, and with a lock by the operator', async () => {
    const byReset = await besieged();
    const set = { password: `${GOOD} again`, ...minutes };
    const attacker = new Map(byReset.home.cookies);
    expect((await at(provider.app, HOME).post('/passwords/session/reset', set, byReset.session)).status).toBe(200);
    expect((await enter(browser(AWAY, attacker), byReset.email, set.password)).status).toBe(429);

    const locked = await besieged();
    const by = { name: 'root', address: null, request_id: null };
    await lockOut(provider.services, locked.user_id, by);
    await unlock(provider.services, locked.user_id, by);
    expect((await enter(browser(AWAY, locked.home.cookies), locked.email, GOOD)).status).toBe(429);
  });

  soakIt('end after a month, and after five other users', async () => {
    const old = await besieged(false);
    provider.clock.time += 31 * DAY;
    await besiege(old.email);
    expect((await enter(browser(AWAY, old.home.cookies), old.email, GOOD)).status).toBe(429);

    const shared = await besieged();
    for (let user = 0; user < 5; user += 1) {
      await shared.home.post('/passwords', { email: newAddress(), password: GOOD, ...minutes });
    }
    expect((await enter(browser(AWAY, shared.home.cookies), shared.email, GOOD)).status).toBe(429);
  });

  it('are few for each user, and tell two browsers of a user nothing in common', async () => {
    const { email, home, user_id } = await besieged(false);
    const seen = new Set<string>();
    for (let login = 0; login < 14; login += 1) {
      const fresh = browser(HOME);
      await enter(fresh, email, GOOD);
      for (const value of fresh.cookies.values()) seen.add(value.slice(2, 24)).add(value.slice(24, 46));
    }
    expect(seen.size).toBe(28);
    expect(home.cookies.size).toBe(1);
    const rows = await provider.services.db
      .selectFrom('known_networks')
      .select('network')
      .where('user_id', '=', user_id)
      .execute();
    expect(rows.filter(({ network }) => network.startsWith('device:'))).toHaveLength(10);
  });

  it('are Secure where the page is, one for each site, and none of a proxy without TLS', async () => {
    const { email, session } = await besieged(false);
    const cookieAt = async (origin: string) => {
      const init = {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${provider.services.project.public_token}:${session}`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email, password: GOOD, ...minutes }),
      };
      const env = { incoming: { socket: { remoteAddress: HOME } } };
      return (await provider.app.request(`${origin}/sdk/v1/passwords/authenticate`, init, env)).headers.get(
        'set-cookie',
      );
    };
    expect(await cookieAt('https://localhost')).toMatch(
      /^__Host-portico_device=1\.[^;]*; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/u,
    );
  });
});
