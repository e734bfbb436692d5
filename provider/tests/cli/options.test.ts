import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run } from '#provider/operation/server/run.ts';

const PG = ['--database-url', 'postgres://me@db.example/x'];

describe('the command line', () => {
  it('has answers for what is left out', () => {
    expect(optionsFrom([], {})).toEqual({
      port: 4100,
      host: null,
      store: { kind: 'folder', path: '.data/provider' },
      masterKey: null,
      poolSize: null,
      migrating: true,
      fresh: false,
      projectFile: null,
      authorizationUrl: null,
      dev: true,
      demoUrl: null,
      bare: true,
      drainSeconds: 0,
      delivery: {},
      trustProxy: null,
      keepAliveSeconds: 65,
      breachedPasswords: null,
      log: { level: 'warn', format: 'text' },
      metrics: null,
      operators: null,
      traces: false,
    });
  });

  it('is for development without a project, unless something else was said', () => {
    for (const args of [[], ['--port', '0', '--data', 'here', '--fresh', '--verbose', '--metrics-port', '0']]) {
      expect(optionsFrom(args, {})).toMatchObject({ dev: true, bare: true, host: null });
    }
    for (const [args, env] of [
      [['--host', '127.0.0.1'], {}],
      [['--project', 'p.json'], {}],
      [PG, {}],
      [['--trust-proxy', '1'], {}],
      [['--smtp-url', 'smtp://a'], {}],
      [[], { PORTICO_DEV: '0' }],
      [[], { PORTICO_HOST: 'localhost' }],
      [['--data', 'here'], { PORTICO_KEY: 'k' }],
      [[], { NODE_ENV: 'production' }],
    ] as const) {
      expect(optionsFrom(args, env), JSON.stringify([args, env])).toMatchObject({ dev: false, bare: false });
    }
    expect(optionsFrom(['--dev'], {})).toMatchObject({ dev: true, bare: false });
  });

  it('names a store', () => {
    expect(optionsFrom(['--data', 'memory']).store).toEqual({ kind: 'memory' });
    expect(optionsFrom(['--data', 'here']).store).toEqual({ kind: 'folder', path: 'here' });
    const url = 'postgres://me@db.example/x';
    expect(optionsFrom(['--database-url', url]).store).toEqual({ kind: 'postgres', url });
  });

  it('names where the key of a database is, the option before the environment', () => {
    const keyOf = (args: readonly string[], env = {}) => optionsFrom(args, env).masterKey;
    expect(keyOf(PG)).toBeNull();
    expect(keyOf(PG, { PORTICO_KEY: 'k' })).toEqual({ kind: 'variable', text: 'k' });
    expect(keyOf(PG, { PORTICO_KEY_FILE: 'f', PORTICO_KEY: '' })).toEqual({ kind: 'file', path: 'f' });
    const named = [...PG, '--key-file', 'g'];
    expect(keyOf(named, { PORTICO_KEY_FILE: 'f', PORTICO_KEY: 'k' })).toEqual({ kind: 'file', path: 'g' });
    expect(keyOf(['--data', 'here'], { PORTICO_KEY: 'k' })).toBeNull();
    expect(() => keyOf(PG, { PORTICO_KEY_FILE: 'f', PORTICO_KEY: 'k' })).toThrow('not both');
    expect(() => keyOf([...PG, '--key-file='])).toThrow('--key-file must name a file.');
    expect(() => keyOf(['--key-file', 'g'])).toThrow(/^--key-file needs --database-url;/u);
  });

  it.each([
    [['--port', 'x'], '--port must be a number from 0 to 65535, not x.'],
    [['--port', '70000'], '--port must be a number from 0 to 65535, not 70000.'],
    [['--port'], /^Option '--port <N>' argument missing\.$/u],
    [['--prot', '1'], `Unknown option '--prot'. Did you mean --port?`],
    [['--data', '--fresh'], /^Option '--data <DIR>' argument missing: write --data=… /u],
    [['--databse-url=canary'], `Unknown option '--databse-url'.`],
    [['--data', 'x', 'users', 'list'], /^Unexpected argument 'users'\./u],
    [['extra'], /^Unexpected argument 'extra'\./u],
    [['--data', 'x', '--database-url', 'postgres://y'], 'Give --data or --database-url, not both.'],
    [['--data='], '--data must name a folder, or be memory.'],
    [['--host='], '--host must be a name or address to listen on.'],
    [['--database-url', 'mysql://y'], '--database-url must start with postgres://.'],
    [['--database-url', 'postgres://a,,b/y'], '--database-url has an empty or wrong host between its commas.'],
    [['--dev', '--host', '0.0.0.0'], /^--dev serves this machine only:/u],
    [['--dev', '--host', 'auth.example.com'], /^--dev serves this machine only:/u],
    [['--dev', '--host', '::'], /^--dev serves this machine only:/u],
    [['postgres://me:pass@db.example/x'], /^Unexpected argument '…'\./u],
    [['--fresh', '--database-url', 'postgres://y'], /^--fresh empties a data folder\./u],
    [['--dev', '--demo-url', 'javascript:alert(1)'], /^--demo-url must be the address of a page:/u],
    [['--dev', '--demo-url', 'localhost:3000'], /^--demo-url must be the address of a page:/u],
    [['--project', 'p.json', '--demo-url', 'http://localhost:3000'], '--demo-url is for development: give --dev too.'],
  ])('refuses %j in one sentence', (args, sentence) => {
    expect(() => optionsFrom(args)).toThrow(sentence);
  });

  it.each([
    [['--data', 'memory', '--host', '127.0.0.1'], /^Give --project FILE .*, or --dev /u],
    [
      ['--data', 'memory', '--project', '/nowhere.json'],
      '--project (PORTICO_PROJECT) names /nowhere.json: it cannot be read (ENOENT).',
    ],
    [
      ['--dev', '--data', 'memory', '--authorization-url', 'https://elsewhere.example/'],
      /^--authorization-url \(PORTICO_AUTHORIZATION_URL\) must be/u,
    ],
    [['--dev', '--data', '/dev/null/x'], 'Cannot make the data folder /dev/null/x: ENOTDIR.'],
    // Nobody may write there, and neither may root, as whom tests may run.
    [['--dev', '--data', '/proc'], /^Cannot write to the data folder \/proc: E[A-Z]+\.$/u],
  ])('starts nothing with %j', async (args, sentence) => {
    await expect(run(optionsFrom(args))).rejects.toThrow(sentence);
  });
});

describe('a data folder with files that this process cannot use', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-own-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['db', 'keys.json'])('is refused by the name of %s, and let go', async (name) => {
    const path = join(folder, name);
    // Not even root can open it, as whom tests may run.
    symlinkSync(path, path);
    const starting = run(optionsFrom(['--dev', '--data', folder]));
    await expect(starting).rejects.toThrow(
      `Cannot read and write ${path}: ELOOP. The user who runs the server must own the data folder`,
    );
    rmSync(path);
    expect(readdirSync(folder)).toEqual([]);
  });
});
