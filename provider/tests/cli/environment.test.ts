import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { OPTIONS, type OptionSpec } from '#provider/operation/options/option-table.ts';
import type { Environment } from '#provider/operation/options/option-values.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { unknownVariables } from '#provider/operation/options/unknown-variables.ts';
import { COMMANDS } from '#provider/operation/commands/commands.ts';
import { requestFrom } from '#provider/operation/commands/requests.ts';
import { versionText } from '#provider/operation/server/version.ts';
import { ran } from '../kit/managing.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-env-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const URL = 'postgres://me:canary@db.example/x';
const specs: readonly OptionSpec[] = Object.values(OPTIONS);

describe('the environment', () => {
  it('sets what the flags set', () => {
    const env = {
      PORTICO_PORT: '80',
      PORTICO_HOST: '0.0.0.0',
      PORTICO_DATABASE_URL: URL,
      PORTICO_POOL_SIZE: '7',
      PORTICO_NO_MIGRATE: '1',
      PORTICO_DRAIN_SECONDS: '20',
      PORTICO_KEY: 'k',
      PORTICO_PROJECT: 'p.json',
      PORTICO_SMTP_URL: 'smtp://mail.example',
      PORTICO_MAIL_FROM: 'a@example.com',
      PORTICO_TRUST_PROXY: '10.0.0.0/8',
      PORTICO_KEEP_ALIVE: '620',
      PORTICO_BREACHED_PASSWORDS: '/lists/hashes',
      PORTICO_LOG_LEVEL: 'error',
      PORTICO_LOG_FORMAT: 'text',
      PORTICO_METRICS_PORT: '9464',
      PORTICO_METRICS_HOST: '0.0.0.0',
      PORTICO_OTEL: 'true',
    };
    const options = {
      port: 80,
      host: '0.0.0.0',
      store: { kind: 'postgres', url: URL },
      masterKey: { kind: 'variable', text: 'k' },
      poolSize: 7,
      migrating: false,
      drainSeconds: 20,
      projectFile: 'p.json',
      delivery: { smtpUrl: { text: 'smtp://mail.example' }, mailFrom: { text: 'a@example.com' } },
      trustProxy: '10.0.0.0/8',
      keepAliveSeconds: 620,
      breachedPasswords: '/lists/hashes',
      log: { level: 'error', format: 'text' },
      metrics: { host: '0.0.0.0', port: 9464 },
      traces: true,
    };
    expect(optionsFrom([], env)).toMatchObject(options);
    expect(optionsFrom([], Object.fromEntries(Object.keys(env).map((name) => [name, ''])))).toEqual(
      optionsFrom([], {}),
    );
  });

  it('gives way to flags', () => {
    const env = { PORTICO_PORT: '80', PORTICO_DATA: 'there', PORTICO_DEV: '0', PORTICO_LOG_LEVEL: 'error' };
    expect(optionsFrom(['--port', '81', '--data', 'here', '--dev', '--log-level', 'debug'], env)).toMatchObject({
      port: 81,
      store: { path: 'here' },
      dev: true,
      log: { level: 'debug' },
    });
    expect(optionsFrom(['--database-url', URL], env).store.kind).toBe('postgres');
    expect(optionsFrom(['--data', 'here'], { PORTICO_DATABASE_URL: URL }).store.kind).toBe('folder');
  });

  it('names files of secrets', () => {
    expect(optionsFrom([], { PORTICO_DATABASE_URL_FILE: file('url', `${URL}\n`) }).store).toEqual({ kind: 'postgres', url: URL }); // prettier-ignore
    expect(optionsFrom([], { PORTICO_SMTP_URL_FILE: file('smtp', 'smtp://a') }).delivery.smtpUrl).toMatchObject({
      text: 'smtp://a',
      from: 'PORTICO_SMTP_URL_FILE',
    });
  });

  it('turns tracing on by the variables of OpenTelemetry, unless PORTICO_OTEL turns it off', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(optionsFrom([], env).traces).toBe(true);
    expect(optionsFrom([], { ...env, PORTICO_OTEL: '0' }).traces).toBe(false);
  });

  it.each([
    [{ PORTICO_PORT: 'x' }, 'PORTICO_PORT must be a number from 0 to 65535, not x.'],
    [{ PORTICO_PORT: 'tcp://10.0.0.1:4100' }, /Kubernetes set it for a service named portico; set enableServiceLinks/u],
    [{ PORTICO_POOL_SIZE: '0' }, 'PORTICO_POOL_SIZE must be a number from 2 to 1000, not 0.'],
    [{ PORTICO_DEV: 'canary' }, 'PORTICO_DEV must be 1 or 0.'],
    [{ PORTICO_DEV: '1', PORTICO_HOST: '0.0.0.0' }, /^--dev serves this machine only: omit PORTICO_HOST/u],
    [{ PORTICO_LOG_LEVEL: 'canary' }, 'PORTICO_LOG_LEVEL must be one of silent, error, warn, info, debug.'],
    [{ PORTICO_DATA: 'x', PORTICO_DATABASE_URL: URL }, 'Give PORTICO_DATA or PORTICO_DATABASE_URL, not both.'],
    [{ PORTICO_DATABASE_URL: 'mysql://canary' }, 'PORTICO_DATABASE_URL must start with postgres://.'],
    [
      { PORTICO_DATABASE_URL: URL, PORTICO_DATABASE_URL_FILE: '/x' },
      'Set PORTICO_DATABASE_URL or PORTICO_DATABASE_URL_FILE, not both.',
    ],
    [
      { PORTICO_DATABASE_URL_FILE: join(folder, 'none') },
      /^PORTICO_DATABASE_URL_FILE names \S+: it cannot be read \(ENOENT\)\.$/u,
    ],
    [{ PORTICO_DATABASE_URL: `"${URL}"` }, 'PORTICO_DATABASE_URL has quotes around its value: leave them out.'],
    [
      { PORTICO_DATABASE_URL_FILE: "'/run/secrets/url'" },
      'PORTICO_DATABASE_URL_FILE has quotes around its value: leave them out.',
    ],
    [{ PORTICO_DATABASE_URL_FILE: file('canary', 'canary') }, 'PORTICO_DATABASE_URL_FILE must start with postgres://.'],
  ])('is refused in one sentence as %j, without the secret', (env, sentence) => {
    const start = (): unknown => optionsFrom([], env);
    expect(start).toThrow(sentence);
    if (!('PORTICO_DATABASE_URL_FILE' in env)) expect(start).not.toThrow(/canary/u);
  });

  it('reports where a command finds the data', () => {
    const rotating = (env: Environment, ...words: string[]) => requestFrom(['admin', 'rotate-keys', ...words], env);
    const env = { PORTICO_DATABASE_URL: URL, PORTICO_KEY_FILE: 'f', PORTICO_PROJECT: 'p.json' };
    expect(rotating(env)).toMatchObject({
      store: { kind: 'postgres', url: URL },
      masterKey: { kind: 'file', path: 'f' },
      projectFile: 'p.json',
      migrating: true,
    });
    expect(rotating({ ...env, PORTICO_NO_MIGRATE: '1' })).toMatchObject({ migrating: false });
    expect(rotating(env, '--no-migrate')).toMatchObject({ migrating: false });
    const page = { PORTICO_OPERATORS_PORT: '4101', PORTICO_OPERATORS_ORIGIN: '' };
    const originWith = (env: Environment) => {
      const request = requestFrom(['operators', 'invite', 'Grace'], env);
      return request.kind === 'operator' ? request.fields['origin'] : null;
    };
    expect(originWith(page)).toBe('http://localhost:4101');
    expect(originWith({ ...page, PORTICO_OPERATORS_ORIGIN: 'https://ops.example.com' })).toBe(
      'https://ops.example.com',
    );
    expect(originWith({ PORTICO_OPERATORS_ORIGIN: '' })).toBeUndefined();
    expect(rotating(env, '--data', 'here')).toMatchObject({ store: { kind: 'folder', path: 'here' } });
  });
});

describe('an unknown variable', () => {
  it('causes a warning with the nearest name, without its value', () => {
    expect(unknownVariables({ PORTICO_SMPT_URL: 'canary', PORTICO_PORT: '1', HOME: '/' }, null)).toEqual([
      { variable: 'PORTICO_SMPT_URL', did_you_mean: 'PORTICO_SMTP_URL' },
    ]);
    expect(unknownVariables({ PORTICO_PORT_FILE: 'x' }, null)).toHaveLength(1);
    const [long] = unknownVariables({ [`PORTICO_${'X'.repeat(10_000)}`]: 'x' }, null);
    expect(long?.variable).toHaveLength(100);
    expect(unknownVariables({ PORTICO_SMTP: 'x' }, null)).toMatchObject([{ did_you_mean: 'PORTICO_SMTP_URL' }]);
    expect(unknownVariables({ PORTICO_FRESH: '1' }, null), 'a flag').toMatchObject([{ did_you_mean: '--fresh' }]);
    expect(unknownVariables({ PORTICO_QQQ: '1' }, null), 'nothing is near').toMatchObject([
      { did_you_mean: expect.stringMatching(/^PORTICO_/u) as string },
    ]);
  });

  it.each([
    ['PORTICO_DB_URL', 'PORTICO_DATABASE_URL'],
    ['PORTICO_DATABSE_URL', 'PORTICO_DATABASE_URL'],
    ['PORTICO_DATABASE', 'PORTICO_DATABASE_URL'],
    ['PORTICO_POSTGRES_URI', 'PORTICO_DATABASE_URL'],
    ['PORTICO_DSN', 'PORTICO_DATABASE_URL'],
    ['PORTICO_CONNECTION_STRING', 'PORTICO_DATABASE_URL'],
    ['PORTICO_PG_CONNECTION', 'PORTICO_DATABASE_URL'],
    ['PORTICO_DB_CONNECTION_STRING', 'PORTICO_DATABASE_URL'],
    ['PORTICO_PGSQL_URL', 'PORTICO_DATABASE_URL'],
    ['PORTICO_POSTGRESQL_URL', 'PORTICO_DATABASE_URL'],
    ['PORTICO_DB_URL_FILE', 'PORTICO_DATABASE_URL_FILE'],
    ['PORTICO_STORAGE', 'PORTICO_DATABASE_URL', URL],
  ])('by which the database was meant opens no embedded one: %s', (variable, meant, value = 'canary') => {
    const env = { [variable]: value, PORTICO_PROJECT: 'p.json' };
    const sentence = `${variable} is no variable of Portico: did you mean ${meant}? For an embedded database give --data (PORTICO_DATA).`;
    expect(() => optionsFrom([], env)).toThrow(sentence);
    expect(() => optionsFrom(['--dev'], env)).toThrow(sentence);
    expect(() => requestFrom(['users', 'list'], env)).toThrow(sentence);
    expect(() => requestFrom(['migrate'], env)).toThrow(sentence);
    for (const words of [
      ['--data', 'here'],
      ['--database-url', URL],
    ]) {
      expect(() => optionsFrom(words, env)).not.toThrow();
      expect(() => requestFrom(['users', 'list', ...words], env)).not.toThrow();
    }
  });

  it.each(['PORTICO_SMPT_URL', 'PORTICO_DATA_DIR', 'PORTICO_IMAGE_REPOSITORY_NAME', 'PORTICO_CANDIDATE_HOUR'])(
    'that is far from the database’s is no reason to refuse the start: %s',
    (variable) => {
      expect(() => optionsFrom(['--dev'], { [variable]: 'x' })).not.toThrow();
    },
  );

  it('is no reason to refuse the start if the project file names it', () => {
    const project = file('named.json', JSON.stringify({ webhooks: [{ secret: { env: 'PORTICO_DB_URL' } }] }));
    expect(() => optionsFrom(['--project', project], { PORTICO_DB_URL: 'x' })).not.toThrow();
  });

  it.each(['PORTICO_KEY', 'PORTICO_KEY_FILE'])('is not needed for a refusal if %s has no database', (variable) => {
    const sentence = `${variable} is the key of your own database, and --database-url (PORTICO_DATABASE_URL) is missing.`;
    expect(() => optionsFrom([], { [variable]: 'x', PORTICO_PROJECT: 'p.json' })).toThrow(sentence);
    expect(() => requestFrom(['users', 'list'], { [variable]: 'x' })).toThrow(sentence);
    expect(() => optionsFrom([], { [variable]: 'x', PORTICO_DATA: 'here' })).not.toThrow();
    expect(() => optionsFrom(['--dev'], { [variable]: 'x' })).not.toThrow();
  });

  it('is no mistake if the project file names it, or if it is of an app or of Kubernetes', () => {
    const env = {
      PORTICO_GOOGLE_SECRET: 'canary',
      PORTICO_SMTP_URL_FILE: '/x',
      PORTICO_API_URL: 'http://localhost',
      PORTICO_OAUTH_GOOGLE_CLIENT_ID: 'x',
      PORTICO_SERVICE_HOST: '10.0.0.1',
      PORTICO_PORT_4100_TCP_ADDR: '10.0.0.1',
      PORTICO_MISTAKE: '',
    };
    const project = { social: [{ google: { client_secret: { env: 'PORTICO_GOOGLE_SECRET' } } }] };
    expect(unknownVariables(env, project)).toEqual([]);
    expect(unknownVariables(env, null)).toHaveLength(1);
  });
});

describe('the table of options', () => {
  const rows = readFileSync(join(ROOT, 'provider/README.md'), 'utf8').matchAll(
    /^\| (?:`--([\w-]+)(?: (\S+))?` )?\| (?:`(PORTICO_\w+)` (\+ `_FILE` )?)?\| \S/gmu,
  );
  const documented = [...rows].map(([, flag, argument, variable, isSecret]) => ({
    flag,
    argument,
    variable,
    isSecret,
  }));

  it('is the one of the README', () => {
    const table = specs.map(({ flag, argument, variable, isSecret }) => ({
      flag,
      argument: flag === undefined ? undefined : argument,
      variable,
      isSecret: isSecret === true ? '+ `_FILE` ' : undefined,
    }));
    const byName = (a: object, b: object): number => JSON.stringify(a).localeCompare(JSON.stringify(b));
    expect(documented.sort(byName)).toEqual(table.sort(byName));
  });

  it('is printed by --help, with every command', async () => {
    const help = (await ran(['--help'])).replaceAll(/\s+/gu, ' ');
    for (const { flag, variable, help: meaning } of specs) {
      if (flag !== undefined) expect(help).toContain(`--${flag}`);
      if (variable !== undefined) expect(help).toContain(variable);
      expect(help).toContain(meaning);
    }
    for (const [words, { help: meaning }] of Object.entries(COMMANDS)) {
      expect(help).toContain(` ${words} `);
      expect(help).toContain(meaning);
    }
  });

  it('has a version', async () => {
    expect(await ran(['--version'])).toBe(versionText());
    expect(versionText()).toMatch(/^\d+\.\d+\.\d+/u);
  });
});
