import { describe, expect, it } from 'vitest';
import { api, type Endpoint } from '#application/api/index.ts';
import { SharedCalls } from '#application/wire/shared-calls.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { D, open, ROWS } from './call-table.ts';

const PROJECT = {
  captcha_settings: { enabled: true, siteKey: 'k' },
  dfp_protected_auth_enabled: true,
  pkce_required_for_email_magic_links: true,
  pkce_required_for_password_resets: true,
  pkce_required_for_oauth: true,
};

describe('equal calls at the same time', () => {
  const once = ROWS.filter(
    ({ to }) => ('session' in to.reply && to.name !== 'sessions.authenticate') || to.spends === true,
  );

  it.each(once)('to $to.name are one request', async ({ call, to, signedIn }) => {
    const { world, client } = await open(signedIn, PROJECT);
    world.transport.answer(to, () => errorReply(418, 'teapot'));
    const ends = await Promise.allSettled([call(client), call(client)]);
    expect(ends).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ error_type: 'teapot' }) },
      { status: 'rejected', reason: expect.objectContaining({ error_type: 'teapot' }) },
    ]);
    expect(world.transport.requestsTo(to)).toHaveLength(1);
    await call(client).catch(() => undefined);
    expect(world.transport.requestsTo(to)).toHaveLength(2);
  });
});

it('calls that differ in the length of the session are equal', async () => {
  const { world, client } = await open(false, PROJECT);
  world.transport.answer(api.otps.authenticate, () => errorReply(418, 'teapot'));
  const call = async (session_duration_minutes: number) =>
    client.otps.authenticate('123456', 'm', { session_duration_minutes });
  await Promise.allSettled([call(5), call(60)]);
  expect(world.transport.requestsTo(api.otps.authenticate)).toHaveLength(1);
});

describe('calls with the same required fields at the same time', () => {
  const runsOf = async (to: Endpoint, ...more: readonly object[]): Promise<number> => {
    const shared = new SharedCalls();
    const values = Object.fromEntries(Object.keys(to.body).map((name) => [name, name]));
    let runs = 0;
    const run = async (): Promise<number> => (runs += 1);
    await Promise.all(more.map(async (one) => shared.share(to, { ...values, ...one }, run)));
    return runs;
  };

  it('are equal, whatever their optional fields are', async () => {
    const { body } = api.magicLinks.authenticate;
    const [optional = ''] = Object.entries(body).find(([, kind]) => kind.endsWith('?')) ?? [];
    expect(await runsOf(api.magicLinks.authenticate, { [optional]: 'one' }, { [optional]: 'two' })).toBe(1);
  });

  it('are each sent if they use up nothing', async () => {
    expect(await runsOf(api.otps.emailLoginOrCreate, {}, {})).toBe(2);
  });
});

describe('equal calls of the widgets alone at the same time', () => {
  it.each([api.idp.deviceSubmit, api.oauth.oneTapSubmit])('to $name are one', async (to) => {
    const shared = new SharedCalls();
    const values = Object.fromEntries(Object.keys(to.body).map((name) => [name, name]));
    let runs = 0;
    const run = async (): Promise<number> => (runs += 1);
    expect(await Promise.all([shared.share(to, values, run), shared.share(to, values, run)])).toEqual([1, 1]);
    expect(runs).toBe(1);
  });
});

describe('a link that is used twice at the same time', () => {
  async function withLink() {
    const opened = await open(false, { pkce_required_for_email_magic_links: true });
    await opened.client.magicLinks.email.loginOrCreate('a@b.co');
    return { ...opened, token: opened.world.server.inbox[0]?.token ?? '' };
  }

  it('logs in once, with the options of the first call', async () => {
    const { world, client, token } = await withLink();
    const sessions: unknown[] = [];
    client.session.onChange((session) => sessions.push(session));
    const [first, second] = await Promise.all([
      client.magicLinks.authenticate(token, D),
      client.magicLinks.authenticate(token, { session_duration_minutes: 5 }),
    ]);
    expect(second).toEqual(first);
    const requests = world.transport.requestsTo(api.magicLinks.authenticate);
    expect(requests.map(({ body }) => body)).toEqual([expect.objectContaining(D)]);
    expect(sessions).toHaveLength(1);
  });

  it('is refused when the first call has ended', async () => {
    const { client, token } = await withLink();
    await client.magicLinks.authenticate(token, D);
    await expect(client.magicLinks.authenticate(token, D)).rejects.toMatchObject({
      error_type: 'unable_to_auth_magic_link',
    });
  });

  it('logs in one of two tabs, and the session of that one is in both', async () => {
    const { world, client, token } = await withLink();
    const other = world.open().client;
    const ends = await Promise.allSettled([
      client.magicLinks.authenticate(token, D),
      other.magicLinks.authenticate(token, D),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([client, other].map((one) => one.session.getSync()?.session_id)).toEqual(Array(2).fill(expect.any(String)));
  });
});

it('two passwords with one token are two requests: the second one is not said to be set', async () => {
  const { world, client } = await open();
  world.transport.answer(api.passwords.resetByEmail, ({ password }) =>
    password === 'one' ? errorReply(400, 'weak_password') : errorReply(418, 'teapot'),
  );
  const reset = (password: string) => client.passwords.resetByEmail({ token: 't', password, ...D });
  const ends = await Promise.allSettled([reset('one'), reset('two')]);
  expect(ends.map((end) => end.status === 'rejected' && (end.reason as { error_type: string }).error_type)).toEqual([
    'weak_password',
    'teapot',
  ]);
});
