import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HookRequest } from '#composition/server.ts';
import type { HookSettings } from '#provider/project/settings/hooks.ts';
import { DATABASES, isSecond, type Fields, type Provider } from '../kit/harness.ts';
import { json, suiteHooks } from '../kit/hook-server.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { withHooks } from '../kit/with-hooks.ts';
import { listedIf } from '#tests/soak-tests.ts';
import { MINUTES } from './attacker.ts';
import { FREE, LINK, PROJECT, somebody } from './newcomers.ts';

type Responder = (request: HookRequest, response: ServerResponse) => void;

const metadata =
  (value: unknown): Responder =>
  ({ id }, response) =>
    json(response, { id, action: 'allow', roles: ['member'], trusted_metadata: value });
const allowing =
  (fields: Fields): Responder =>
  ({ id }, response) =>
    json(response, { id, action: 'allow', roles: ['member'], ...fields });
const nested = (depth: number): unknown => (depth === 0 ? 1 : { in: nested(depth - 1) });

/** What is no valid answer, although each tries to add something. */
const FAILURES: readonly (readonly [name: string, answer: Responder])[] = [
  ['closes the connection', (__, response) => void response.destroy()],
  [
    'closes it in the middle of the answer',
    ({ id }, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' });
      response.write(JSON.stringify({ id, action: 'allow', roles: ['member'] }), () => response.destroy());
    },
  ],
  [
    'answers without end',
    (__, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
  ],
  [
    'redirects',
    ({ id }, response) => {
      response.writeHead(307, { location: '/elsewhere', 'content-type': 'application/json' });
      response.end(JSON.stringify({ id, action: 'allow', roles: ['member'] }));
    },
  ],
  [
    'answers 500',
    ({ id }, response) =>
      void response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id, action: 'allow', roles: ['member'] })),
  ],
  [
    'answers 201',
    ({ id }, response) =>
      void response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id, action: 'allow', roles: ['member'] })),
  ],
  [
    'answers HTML',
    ({ id }, response) => json(response, { id, action: 'allow', roles: ['member'] }, { 'content-type': 'text/html' }),
  ],
  ['answers no JSON', (__, response) => json(response, '{"id":')],
  ['answers a list', (__, response) => json(response, [])],
  [
    'answers with more than 16 kB',
    ({ id }, response) => json(response, `{"id":"${id}","action":"allow","roles":["member"]}${' '.repeat(16_384)}`),
  ],
  ['answers null', (__, response) => json(response, 'null')],
  ['answers without an id', (__, response) => json(response, { action: 'allow', roles: ['member'] })],
  ['answers for another request', allowing({ id: 'hook-test-00000000-0000-4000-8000-000000000000' })],
  ['answers with an unknown action', allowing({ action: 'ALLOW' })],
  ['answers with a role that does not exist', allowing({ roles: ['member', 'root'] })],
  ['answers with roles that are no list', allowing({ roles: 'member' })],
  ['answers with a field that users have', allowing({ user_id: 'user-test-1' })],
  ['answers with a policy', allowing({ mfa_policy: 'when_enrolled' })],
  ['answers with a message that refuses nothing', allowing({ message: 'hello' })],
  ['answers with metadata that is no object', metadata('x')],
  ['removes metadata', metadata({ plan: null })],
  [
    'answers with the prototype as metadata',
    ({ id }, response) =>
      json(
        response,
        `{"id":"${id}","action":"allow","roles":["member"],"trusted_metadata":{"__proto__":{"admin":true}}}`,
      ),
  ],
  ['answers with deep metadata', metadata(nested(40))],
  ['answers with long metadata', metadata({ text: 'x'.repeat(5000) })],
  ['answers with text that no database stores', metadata({ text: '\0' })],
];

describe.each(DATABASES)('a hook that fails or lies, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT, limits: FREE });
  const server = suiteHooks();
  const at = (changes: Partial<HookSettings>, hook: 'sign_up' | 'login' | 'both' = 'both'): Provider => {
    const settings = server.settings(changes);
    if (hook === 'both') return withHooks(provider, { sign_up: settings, login: settings });
    return withHooks(provider, { [hook]: settings });
  };
  const rows = async (): Promise<unknown> => {
    const { db } = provider.services;
    const count = (table: 'users' | 'sessions') =>
      db
        .selectFrom(table)
        .select((query) => query.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
    return Promise.all([count('users'), count('sessions')]);
  };

  it.each(listed(FAILURES, url))(
    '%s: refuses each login, or lets it in without additions, as the project says',
    async (__, answer) => {
      const finish = await LINK.begin(provider, somebody());
      const before = await rows();
      server.route = answer;
      const logged = provider.logged.length;
      const refused = await finish(at({ on_failure: 'refuse' }));
      expect([refused.status, refused.body['error_type']]).toEqual([503, 'hook_unavailable']);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(await rows()).toEqual(before);
      const allowed = await finish(at({ on_failure: 'allow' }));
      expect(allowed.status).toBe(200);
      expect(allowed.data).toMatchObject({ session: { roles: [] }, user: { trusted_metadata: {} } });
      expect(server.raw.map(({ url: path }) => path)).not.toContain('/elsewhere');
      expect(provider.logged.slice(logged).join('\n')).not.toContain('member');
    },
  );

  it('that is down refuses, or lets in', async () => {
    const finish = await LINK.begin(provider, somebody());
    const nobody = 'http://127.0.0.1:9/hooks';
    expect((await finish(at({ url: nobody }))).body['error_type']).toBe('hook_unavailable');
    expect((await finish(at({ url: nobody, on_failure: 'allow' }))).status).toBe(200);
  });

  it('is not called at an address that this server must not call', async () => {
    const closed = { ...provider.services.project, allow_loopback: false };
    const door = withHooks(provider, { login: server.settings() }, closed);
    const finish = await LINK.begin(provider, somebody());
    expect((await finish(door)).body['error_type']).toBe('hook_unavailable');
    expect(server.raw).toEqual([]);
  });

  it('that hangs blocks no other login, and holds no connection of the database', async () => {
    const answers: (() => void)[] = [];
    const hanging = new Promise<void>((resolve) => {
      server.route = (request, response) => {
        answers.push(() => json(response, { id: request.id, action: 'allow' }));
        if (answers.length === 30) resolve();
      };
    });
    const door = at({}, 'login');
    // More than there are connections.
    const finishes = await Promise.all(Array.from({ length: 30 }, () => LINK.begin(provider, somebody())));
    const waiting = finishes.map((finish) => finish(door));
    await hanging;
    // All of them wait for the hook at once, and others go on.
    const other = await (await LINK.begin(provider, somebody()))(provider);
    expect(other.status).toBe(200);
    for (const answer of answers) answer();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  });

  it('repeats an earlier answer in vain', async () => {
    const door = at({}, 'login');
    const mine = await (await LINK.begin(provider, somebody()))(door);
    const request = server.requests.find(({ data }) => data.user.user_id === mine.data['user_id']);
    server.answer({ id: request?.id, roles: ['member'] });
    const theirs = await (await LINK.begin(provider, somebody()))(door);
    expect([mine.status, theirs.body['error_type']]).toEqual([200, 'hook_unavailable']);
  });

  it('cannot let a user in who was deleted, locked or changed while it decided', async () => {
    const door = at({}, 'login');
    const change = async (run: (user_id: string) => Promise<unknown>, changes: number) => {
      const person = somebody();
      await (
        await LINK.begin(provider, person)
      )(provider);
      const finish = await LINK.begin(provider, person);
      server.forget();
      server.route = async ({ id, data }, response) => {
        if (server.requests.length <= changes) await run(data.user.user_id);
        json(response, { id, action: 'allow', roles: ['member'] });
      };
      return finish(door);
    };
    const { db } = provider.services;
    const users = (set: Fields) => (user_id: string) =>
      db.updateTable('users').set(set).where('user_id', '=', user_id).execute();
    const deleted = await change((user_id) => db.deleteFrom('users').where('user_id', '=', user_id).execute(), 1);
    expect([deleted.status, deleted.data]).toEqual([401, {}]);
    const locked = await change(users({ locked_at: new Date() }), 1);
    expect(locked.body['error_type']).toBe('user_locked');
    // It decides again about the user as they are now.
    const changed = await change(users({ given_roles: JSON.stringify(['author']) }), 1);
    expect(changed.data['session']).toMatchObject({ roles: ['author', 'member'] });
    expect(server.requests.map(({ data }) => data.user.roles)).toEqual([[], ['author']]);
    let turn = 0;
    const restless = await change(
      (user_id) => users({ trusted_metadata: JSON.stringify({ turn: (turn += 1) }) })(user_id),
      99,
    );
    expect(restless.status).toBe(503);
    expect(server.requests).toHaveLength(4);
  });

  it('that decides while the same proof is used elsewhere lets in one of them', async () => {
    const finish = await LINK.begin(provider, somebody());
    const waiting: (() => void)[] = [];
    const both = new Promise<void>((resolve) => {
      server.route = ({ id }, response) => {
        waiting.push(() => json(response, { id, action: 'allow' }));
        if (waiting.length === 2) resolve();
      };
    });
    const replies = [finish(at({}, 'login')), finish(at({}, 'login'))];
    await both;
    for (const answer of waiting) answer();
    expect((await Promise.all(replies)).map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
  });

  it('refuses with a plain text of at most 300 characters, or with the words of this server', async () => {
    const door = at({}, 'login');
    const finish = await LINK.begin(provider, somebody());
    const textFor = async (message: unknown): Promise<unknown> => {
      server.answer({ action: 'refuse', message });
      const { status, body } = await finish(door);
      expect([status, body['error_type']]).toEqual([403, 'hook_refused']);
      return body['error_message'];
    };
    for (const fine of ['Nicht heute: «später».', '🙂'.repeat(300)]) expect(await textFor(fine)).toBe(fine);
    const own = await textFor(undefined);
    const hostile = [
      '<b>now</b>',
      'x'.repeat(301),
      'two\nlines',
      'a\u202ebc',
      'a\u0000',
      'a\u2028b',
      '',
      '  ',
      7,
      { text: 'x' },
    ];
    for (const message of hostile) expect(await textFor(message)).toBe(own);
    // A refusal counts, whatever else is wrong.
    server.answer({ action: 'refuse', roles: ['root'], trusted_metadata: 7, more: 1 });
    expect((await finish(door)).body['error_type']).toBe('hook_refused');
  });

  it('never signs in a person who has proven nothing', async () => {
    const door = at({});
    const { status } = await door.post('/magic_links/authenticate', { token: 'x'.repeat(43), ...MINUTES });
    expect(status).toBe(401);
    const wrong = { email: somebody().email, password: 'correct horse battery staple 9', ...MINUTES };
    expect((await door.post('/passwords/authenticate', wrong)).status).not.toBe(200);
    expect(server.raw).toEqual([]);
  });

  listedIf(!isSecond(url), it)('signs each request, and uses its id for that request alone', async () => {
    const door = at({});
    await Promise.all([1, 2, 3].map(async () => (await LINK.begin(provider, somebody()))(door)));
    const ids = server.requests.map(({ id }) => id);
    expect(new Set(ids).size).toBe(6);
    expect(server.raw.map(({ headers }) => headers['webhook-id'])).toEqual(ids);
  });

  // The last one: its requests may arrive when it is over.
  it('that never answers ends by its deadline', async () => {
    server.route = () => undefined;
    const finish = await LINK.begin(provider, somebody());
    expect((await finish(at({ deadline_ms: 50 }))).body['error_type']).toBe('hook_unavailable');
    // It may also begin an answer and never end it.
    server.route = (__, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    expect((await finish(at({ deadline_ms: 50, on_failure: 'allow' }))).status).toBe(200);
  });
});

/** All of them on the first database, and the first on the second. */
function listed<T>(cases: readonly T[], url: string | undefined): readonly T[] {
  return isSecond(url) ? cases.slice(0, 1) : cases;
}
