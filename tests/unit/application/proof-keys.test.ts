import { describe, expect, it } from 'vitest';
import { magicLinks, oauth, passwords } from '#application/api/index.ts';
import { errorReply, offline } from '#kit/transport/fake-reply.ts';
import { sha256url, TestWorld, TOKEN } from './world.ts';

const ADA = 'ada@example.com';
const HOUR = { session_duration_minutes: 60 };
const MINUTE_MS = 60_000;
const KEY = `stytch_sdk_state_${TOKEN}::pkce_magic_links`;

/** A browser whose server requires proof keys for everything, unless told otherwise. */
function requiring(required = true): TestWorld {
  const world = new TestWorld();
  for (const flow of ['email_magic_links', 'password_resets', 'oauth']) {
    world.server.project[`pkce_required_for_${flow}`] = required;
  }
  return world;
}

/** Ada has signed in before: the first proof of an address ends every link that is on its way to it. */
async function proveAddress(world: TestWorld): Promise<void> {
  const { client } = new TestWorld().open({ adapters: { transport: world.transport } });
  await world.signIn(client, ADA);
  client.destroy();
}

const newest = ({ server }: TestWorld): string => server.inbox[0]?.token ?? '';

/** Asks for so many links, one after the other, and answers their tokens, the first one first. */
async function askFor(world: TestWorld, count: number): Promise<readonly string[]> {
  const { client } = world.open();
  const tokens: string[] = [];
  for (let mails = 0; mails < count; mails += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one mail after the other
    await client.magicLinks.email.loginOrCreate(ADA);
    tokens.push(newest(world));
  }
  client.destroy();
  return tokens;
}

const sent = (world: TestWorld) =>
  world.transport
    .requestsTo(magicLinks.authenticate)
    .map(({ body }) => (body as { code_verifier?: string }).code_verifier);

describe('of several emails', () => {
  it('each works, the first too, in any order, after a reload and in another tab', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const world = requiring();
      // oxlint-disable-next-line no-await-in-loop -- a browser for each order
      await proveAddress(world);
      // oxlint-disable-next-line no-await-in-loop -- a browser for each order
      const tokens = await askFor(world, 3);
      for (const index of order) {
        const { client } = world.open();
        // oxlint-disable-next-line no-await-in-loop -- one link after the other
        await client.magicLinks.authenticate(tokens[index] ?? '', HOUR);
        expect(client.session.getSync()).not.toBeNull();
        client.destroy();
      }
      expect(world.tab().storage.get(KEY)).toBeNull();
    }
  });

  it('the last is tried with its own verifier at once', async () => {
    const world = requiring();
    const tokens = await askFor(world, 3);
    await world.open().client.magicLinks.authenticate(tokens[2] ?? '', HOUR);
    expect(sent(world)).toHaveLength(1);
  });

  it('the last five work, and no more than five are tried', async () => {
    const world = requiring();
    const tokens = await askFor(world, 6);
    const { client } = world.open();
    await expect(client.magicLinks.authenticate(tokens[0] ?? '', HOUR)).rejects.toMatchObject({
      error_type: 'pkce_mismatch',
    });
    expect(new Set(sent(world)).size).toBe(5);
    expect(sent(world)).toHaveLength(5);
    await client.magicLinks.authenticate(tokens[1] ?? '', HOUR);
  });

  it('one before the last works for ten minutes, the last as long as it is valid', async () => {
    const world = requiring();
    world.server.settings.linkMaxMinutes = 60;
    const [first = '', second = ''] = await askFor(world, 2);
    await world.clock.advance(10 * MINUTE_MS);
    const { client } = world.open();
    await expect(client.magicLinks.authenticate(first, HOUR)).rejects.toMatchObject({ error_type: 'pkce_mismatch' });
    await world.clock.advance(15 * MINUTE_MS);
    await client.magicLinks.authenticate(second, HOUR);
  });

  it('a reset email works after another one, and after links were requested', async () => {
    const world = requiring();
    const { client } = world.open();
    await client.passwords.create({ email: ADA, password: 'Correct horse 1', ...HOUR });
    await client.passwords.resetByEmailStart({ email: ADA });
    const token = new URL(world.server.inbox[0]?.links?.reset_password ?? '').searchParams.get('token') ?? '';
    await client.passwords.resetByEmailStart({ email: ADA });
    await client.magicLinks.email.loginOrCreate(ADA);
    await client.passwords.resetByEmail({ token, password: 'Another horse 2', ...HOUR });
    expect(world.transport.requestsTo(passwords.resetByEmail)).toHaveLength(2);
  });

  it('a login link of an earlier reset email works in addition to separate links', async () => {
    const world = requiring();
    const { client } = world.open();
    await client.passwords.create({ email: ADA, password: 'Correct horse 1', ...HOUR });
    await client.passwords.resetByEmailStart({ email: ADA });
    const login = new URL(world.server.inbox[0]?.links?.login ?? '').searchParams.get('token') ?? '';
    await client.passwords.resetByEmailStart({ email: ADA });
    await client.magicLinks.email.loginOrCreate(ADA);
    await client.magicLinks.authenticate(login, HOUR);
    expect(client.session.getSync()).not.toBeNull();
  });
});

describe('a project that began or ceased to require proof keys', () => {
  it('ends what began before: neither kind of link spoils the other', async () => {
    const world = requiring();
    await proveAddress(world);
    const [bound = ''] = await askFor(world, 1);
    for (const flow of ['email_magic_links']) world.server.project[`pkce_required_for_${flow}`] = false;
    const [free = ''] = await askFor(world, 1);
    const { client } = world.open();
    await client.magicLinks.authenticate(bound, HOUR);
    await client.magicLinks.authenticate(free, HOUR);
  });

  it('takes a link without a challenge, although this browser keeps keys', async () => {
    const world = requiring(false);
    const [free = ''] = await askFor(world, 1);
    world.server.project['pkce_required_for_email_magic_links'] = true;
    await askFor(world, 3);
    world.server.project['pkce_required_for_email_magic_links'] = false;
    await world.open().client.magicLinks.authenticate(free, HOUR);
    expect(sent(world).map((verifier) => typeof verifier)).toEqual(['string', 'undefined']);
  });
});

describe('an exchange that is refused', () => {
  it.each([
    ['for another reason', () => errorReply(401, 'unable_to_auth_magic_link')],
    ['by a server in trouble', () => errorReply(500, 'internal_server_error')],
    ['by nobody', () => offline()],
  ])('%s is not tried again, and no key is lost', async (_, refusal) => {
    const world = requiring();
    const [first = ''] = await askFor(world, 3);
    const answers = world.transport;
    const before = world.tab().storage.get(KEY);
    answers.answer(magicLinks.authenticate, refusal);
    const { client } = world.open();
    await expect(client.magicLinks.authenticate(first, HOUR)).rejects.toBeDefined();
    expect(sent(world)).toHaveLength(1);
    expect(world.tab().storage.get(KEY)).toBe(before);
  });

  it('by a server that always objects to the key comes to an end', async () => {
    for (const type of ['pkce_mismatch', 'pkce_expected_code_challenge', 'pkce_expected_code_verifier']) {
      const world = requiring();
      // oxlint-disable-next-line no-await-in-loop -- a browser for each refusal
      const [first = ''] = await askFor(world, 5);
      world.transport.answer(magicLinks.authenticate, () => errorReply(400, type));
      // oxlint-disable-next-line no-await-in-loop -- a browser for each refusal
      await expect(world.open().client.magicLinks.authenticate(first, HOUR)).rejects.toMatchObject({
        error_type: type,
      });
      expect(sent(world).length).toBeLessThanOrEqual(5);
    }
  });
});

describe('a pair of the reference client', () => {
  it('alone in local storage ends its flow, and is gone then', async () => {
    const world = requiring();
    const verifier = '0123456789abcdef'.repeat(8);
    const pair = { code_verifier: verifier, code_challenge: await sha256url(verifier) };
    await world.transport.send({
      method: 'POST',
      url: 'https://test.stytch.com/sdk/v1/magic_links/email/login_or_create',
      headers: {},
      body: JSON.stringify({ email: ADA, code_challenge: pair.code_challenge }),
    } as never);
    const { client, tab } = world.open();
    tab.storage.set(KEY, JSON.stringify(pair));
    await client.magicLinks.authenticate(newest(world), HOUR);
    expect(sent(world)).toEqual([verifier]);
    expect(tab.storage.get(KEY)).toBeNull();
  });
});

describe('two social logins at once', () => {
  it('each come back with their own verifier', async () => {
    const world = requiring();
    const { client, tab } = world.open();
    const tokens: string[] = [];
    for (const email of ['ada@example.com', 'bob@example.com']) {
      // oxlint-disable-next-line no-await-in-loop -- one tab after the other
      await client.oauth.google.start({});
      const back = world.server.returnFrom(tab.browser.navigations.at(-1) ?? '', { email });
      tokens.push(new URL(back).searchParams.get('token') ?? '');
    }
    await client.oauth.authenticate(tokens[0] ?? '', HOUR);
    await client.oauth.authenticate(tokens[1] ?? '', HOUR);
    expect(world.transport.requestsTo(oauth.authenticate)).toHaveLength(3);
  });
});
