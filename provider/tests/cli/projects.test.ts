import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { Agent, get, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { optionsOfProject, programOf } from '#provider/operation/server/projects.ts';
import { soakIt } from '#tests/soak-tests.ts';
import { runCommand } from '#provider/operation/commands/run-command.ts';
import { readFolder } from '#provider/operation/projects/folder.ts';
import { ANY_DATABASE, basic, freshStore, type Fields } from '../kit/harness.ts';
import { buildServer, killServers, startPublicServer, type ServerProcess } from '../kit/server-process.ts';
import { askAt } from '../kit/small-router.ts';

const root = mkdtempSync(join(tmpdir(), 'portico-router-'));
const PASSWORD = 'a long walk by the river at dusk';

beforeAll(buildServer);
afterEach(killServers);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Project {
  readonly name: string;
  readonly folder: string;
  readonly token: string;
}

/** A folder as an operator makes it. */
async function makeProject(name: string, databaseUrl?: string): Promise<Project> {
  const folder = join(root, name);
  mkdirSync(folder);
  const words = ['init', join(folder, 'portico.jsonc'), '--origin', `https://${name}.example`];
  const database = databaseUrl === undefined ? [] : ['--database-url', databaseUrl];
  const said = await runCommand(
    [...words, '--issuer', `https://auth.${name}.example`, ...database],
    () => undefined,
    {},
  );
  if (databaseUrl !== undefined) writeFileSync(join(folder, 'portico.env'), `PORTICO_DATABASE_URL=${databaseUrl}\n`);
  return { name, folder, token: /public-token-live-[\w-]+/u.exec(said)?.[0] ?? '' };
}

function call(router: ServerProcess, { name, token }: Project, path: string, body?: object, session = token) {
  const headers = {
    authorization: basic(token, session),
    'content-type': 'application/json',
    'x-forwarded-for': '203.0.113.9',
  };
  const init = { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) };
  return askAt(router.url, `auth.${name}.example`, `/sdk/v1${path}`, init).then(
    ({ status, text }) => ({ status, ...JSON.parse(text) }) as Fields,
  );
}

const signUp = async (router: ServerProcess, project: Project): Promise<Fields> => {
  const fields = { email: 'same@example.com', password: PASSWORD, session_duration_minutes: 60 };
  return (await call(router, project, '/passwords', fields))['data'];
};
const check = (router: ServerProcess, project: Project, { session_token }: Fields) =>
  call(router, project, '/sessions/authenticate', { session_duration_minutes: 60 }, session_token);

/** A request whose body is half sent, on a connection that was used before. */
async function halfSent(router: ServerProcess, { name, token }: Project, { session_token }: Fields) {
  const body = '{"session_duration_minutes":60}';
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const host = `auth.${name}.example`;
  const [first] = await once(get(router.url, { path: '/.well-known/jwks.json', agent, headers: { host } }), 'response');
  await once((first as IncomingMessage).resume(), 'end');
  const headers = {
    host,
    authorization: basic(token, session_token),
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const sending = request(router.url, { method: 'POST', path: '/sdk/v1/sessions/authenticate', agent, headers });
  await new Promise((resolve) => sending.write(body.slice(0, 9), resolve));
  return async () => {
    const answered = once(sending, 'response');
    sending.end(body.slice(9));
    const [reply] = (await answered) as [IncomingMessage];
    reply.resume();
    return reply.statusCode;
  };
}

const stops = ({ output }: ServerProcess, { name }: Project): number =>
  output().split(`"project":"${name}","message":"the server of a project stopped"`).length - 1;

/** The id of the process that has the data folder, as its claim says. */
function holderOf(folder: string): number {
  const claim = readdirSync(folder).find((name) => /^lock-[\da-f]{16}$/u.test(name)) ?? '';
  const { owner } = JSON.parse(readFileSync(join(folder, claim), 'utf8')) as { readonly owner: string };
  return Number.parseInt(owner.replace('process ', ''), 10);
}

describe('portico-provider projects', () => {
  it('serves two projects apart: starts, stops and replaces the server of each, and loses no request', async () => {
    const { store, drop } = await freshStore(ANY_DATABASE);
    const shop = await makeProject('shop');
    const blog = await makeProject('blog', store.kind === 'postgres' ? store.url : undefined);
    mkdirSync(join(root, 'broken'));
    writeFileSync(join(root, 'broken', 'portico.jsonc'), '{ "public_token": 1 }');
    const options =
      '--keep blog --idle-seconds 1 --wait-seconds 600 --wake-minutes 0 --drain-seconds 0 --log-format json';
    const router = await startPublicServer('projects', root, '--port', '0', ...options.split(' '));
    // The two outputs of a process can come in another order.
    await vi.waitFor(() => {
      expect(router.output()).toContain('projects blog, shop\n');
      expect(router.output()).toContain('broken/portico.jsonc: public_token is missing');
    });

    // The first requests start the servers, and the same address is a user of each.
    const [atShop, atBlog] = await Promise.all([signUp(router, shop), signUp(router, blog)]);
    expect(atShop['user_id']).not.toBe(atBlog['user_id']);
    // The visitor's address is that of the connection, whatever the visitor wrote.
    expect(atShop['session'].attributes.ip_address).toBe('127.0.0.1');
    // Sessions, tokens and keys are apart.
    expect(await check(router, shop, atShop)).toMatchObject({ status: 200 });
    expect(await check(router, shop, atBlog)).toMatchObject({ status: 401, error_type: 'unauthorized_credentials' });
    expect(await check(router, { ...shop, token: blog.token }, atBlog)).toMatchObject({
      status: 401,
      error_type: 'invalid_public_token',
    });
    const keys = async ({ name }: Project) =>
      (await askAt(router.url, `auth.${name}.example`, '/.well-known/jwks.json')).text;
    expect(await keys(shop)).not.toBe(await keys(blog));

    // Without a request one stops, and those that come then, all at once, start it again; the other one is kept.
    await vi.waitFor(() => expect(stops(router, shop)).toBeGreaterThan(0));
    const again = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? check(router, shop, atShop) : check(router, blog, atBlog),
      ),
    );
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));

    // A server that is killed is replaced, and the other one does not notice.
    process.kill(holderOf(join(shop.folder, 'data')), 'SIGKILL');
    await vi.waitFor(() => expect(router.output()).toContain('"message":"the server of a project ended by itself"'));
    const [after, other] = await Promise.all([check(router, shop, atShop), check(router, blog, atBlog)]);
    expect([after['status'], other['status']]).toEqual([200, 200]);
    expect(stops(router, blog)).toBe(0);

    // Wrong variables end no server on a reload.
    const own = join(blog.folder, 'portico.env');
    writeFileSync(own, `${existsSync(own) ? readFileSync(own, 'utf8') : ''}PORTICO_POOL_SIZE=many\n`);
    router.child.kill('SIGHUP');
    await vi.waitFor(() => expect(router.output()).toContain('variables of blog: PORTICO_POOL_SIZE must be a number'));
    expect(await check(router, blog, atBlog)).toMatchObject({ status: 200 });
    expect(stops(router, blog)).toBe(0);

    // A request that is under way when the router stops is answered.
    const finish = await halfSent(router, blog, atBlog);
    router.child.kill('SIGTERM');
    expect(await finish()).toBe(200);
    expect(await router.ended).toBe(0);
    expect(readdirSync(join(shop.folder, 'data')).filter((name) => name.startsWith('lock'))).toEqual([]);
    for (const secret of [PASSWORD, atShop['session_token'], 'same@example.com']) {
      expect(router.output()).not.toContain(secret);
    }
    await drop();
  });

  soakIt('takes its servers with it when it is killed, and starts them again', async () => {
    const start = () =>
      startPublicServer('projects', root, '--port', '0', '--wake-minutes', '0', '--wait-seconds', '600');
    const inn = await makeProject('inn');
    const holder = () => holderOf(join(inn.folder, 'data'));
    const ask = ({ url }: ServerProcess) => askAt(url, 'auth.inn.example', '/.well-known/jwks.json');
    const killed = await start();
    const { text } = await ask(killed);
    const pid = holder();
    killed.child.kill('SIGKILL');
    const next = await start();
    expect((await ask(next)).text).toBe(text);
    expect(holder()).not.toBe(pid);
    // Process 1 collects the killed server a moment after it has ended.
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 5_000);
  });

  it('are wrong where their server would refuse a variable, so that a reload ends no running one', () => {
    const folder = mkdtempSync(join(root, '.variables-'));
    writeFileSync(join(folder, 'url'), 'postgres://me:secret@db.example/shop\n');
    const { variables: shared } = programOf({ level: 'info', format: 'json' }, { PATH: '/bin' });
    const check = (own: Record<string, string>) => (): void =>
      void optionsOfProject({ name: 'shop', folder, variables: { PORTICO_PROJECT: 'portico.jsonc', ...own } }, shared);
    expect(check({ PORTICO_DATA: 'data' })).not.toThrow();
    // Relative to the folder, as for the server.
    expect(check({ PORTICO_DATABASE_URL_FILE: 'url', PORTICO_KEY_FILE: 'portico.key' })).not.toThrow();
    expect(check({ PORTICO_DATABASE_URL_FILE: 'nowhere' })).toThrow(
      'variables of shop: PORTICO_DATABASE_URL_FILE names ',
    );
    expect(check({ PORTICO_DATABASE_URL: 'postgres://me:se#cret@db.example/shop' })).toThrow(
      'variables of shop: PORTICO_DATABASE_URL is not a URL:',
    );
    expect(check({ PORTICO_DATA: 'data', PORTICO_POOL_SIZE: 'many' })).toThrow('PORTICO_POOL_SIZE must be a number');
    expect(check({ PORTICO_DATA: 'data', PORTICO_OPERATORS_PORT: 'x' })).toThrow('PORTICO_OPERATORS_PORT must be');
  });

  it('gives a project the variables of its own folder, and no other secret', () => {
    const env = {
      PATH: '/bin',
      PORTICO_KEY: 'k',
      PORTICO_SMTP_URL: 's',
      PORTICO_GOOGLE_CLIENT_SECRET: 'g',
      PORTICO_POOL_SIZE: '5',
    };
    const { variables, words } = programOf({ level: 'warn', format: 'json' }, env);
    expect(variables).toEqual({
      PATH: '/bin',
      PORTICO_POOL_SIZE: '5',
      PORTICO_LOG_LEVEL: 'warn',
      PORTICO_METRICS_PORT: '0',
    });
    expect(words.join(' ')).toContain('--port=0 --host=localhost --trust-proxy=1 --drain-seconds=0 --log-format=json');

    const folder = mkdtempSync(join(root, '.folders-'));
    const given = { public_token: 'a', project_id: 'b' };
    const variablesOf = (text: string): object => {
      writeFileSync(join(folder, 'own', 'portico.env'), text);
      return readFolder(folder, 'own', JSON.parse).variables;
    };
    mkdirSync(join(folder, 'own'));
    writeFileSync(join(folder, 'own', 'portico.jsonc'), JSON.stringify(given));
    writeFileSync(join(folder, 'own', 'portico.key'), 'key');
    const file = { PORTICO_PROJECT: 'portico.jsonc' };
    expect(variablesOf('')).toEqual({ ...file, PORTICO_DATA: 'data' });
    const database = { PORTICO_DATABASE_URL: 'postgres://a/b' };
    expect(variablesOf('# mine\nPORTICO_DATABASE_URL="postgres://a/b"\nPORTICO_DATA=\n')).toEqual({
      ...file,
      ...database,
      PORTICO_KEY_FILE: 'portico.key',
    });
    expect(variablesOf('PORTICO_DATABASE_URL=postgres://a/b\nPORTICO_KEY=x\n')).toEqual({
      ...file,
      ...database,
      PORTICO_KEY: 'x',
    });
  });

  it.each([
    [['--most', '0'], '--most must be a number from 1 to 10000, not 0.'],
    [['--most', '1', '--keep', 'a', '--keep', 'b'], '--keep names 2 projects, and only 1 run at once: give --most.'],
    [['--most', '1', '--keep', 'shop'], '--keep leaves no place for the other projects'],
    [['--trust-proxy', 'everybody'], /^--trust-proxy \(PORTICO_TRUST_PROXY\) is wrong: everybody is no network/u],
  ])('refuses %j', async (words, sentence) => {
    await expect(runCommand(['projects', root, ...words], () => undefined, {})).rejects.toThrow(sentence);
  });

  it('refuses a folder that is not there', async () => {
    const missing = join(root, 'missing');
    await expect(runCommand(['projects', missing], () => undefined, {})).rejects.toThrow(
      `Cannot read the folder ${missing}: ENOENT.`,
    );
  });
});
