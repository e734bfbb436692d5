import { randomBytes } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '#scripts/lib/root.mjs';
import { start, stop, untilSays } from '#scripts/lib/run.ts';
import { ensureBuilt } from '#scripts/lib/steps.ts';
import { hasPrograms, startPostgres, type MaybePostgres } from '#scripts/postgres.ts';
import { outsideEnv } from '#scripts/lib/pack.ts';
import { readContainerfile } from '../../provider/tests/kit/containerfile.ts';
import { RawSmtpServer } from '../../provider/tests/kit/raw-smtp-server.ts';
import { surviveHostileRequests } from '../hostile-requests.ts';
import { unpackPackage } from './pack.ts';

const EXAMPLE = join(ROOT, 'examples/compose');

type Variables = Readonly<Record<string, string>>;

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Variables;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

const text = readFileSync(join(EXAMPLE, 'compose.yaml'), 'utf8');
const { services } = parse(text) as { readonly services: Readonly<Record<string, Service>> };
const serviceOf = (name: string): Service => services[name] ?? {};
const containerfileOf = (name: string) =>
  readContainerfile(join('examples/compose', serviceOf(name).build?.dockerfile ?? ''));

/** The services, each after those that it depends on. */
function inOrder(names = Object.keys(services), before: readonly string[] = []): readonly string[] {
  return names.reduce<readonly string[]>(
    (order, name) =>
      order.includes(name) ? order : [...inOrder(Object.keys(serviceOf(name).depends_on ?? {}), order), name],
    before,
  );
}

describe('examples/compose', () => {
  it('publishes ports on this machine alone, of images with an exact version', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'mail', 'portico', 'app']);
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !/^127\.0\.0\.1:(\d+):\1$/u.test(port))).toEqual([]);
    for (const { image } of [serviceOf('postgres'), serviceOf('mail')]) expect(image).toMatch(/:v?\d+\.\d+[\w.-]*$/u);
    const [base] = containerfileOf('portico').instructions;
    expect(containerfileOf('app').instructions[0]).toEqual(base);
  });

  it('starts each service when those that it depends on are healthy', () => {
    expect(inOrder()).toEqual(['postgres', 'mail', 'portico', 'app']);
    const conditions = Object.values(services).flatMap((service) => Object.values(service.depends_on ?? {}));
    expect(conditions).toEqual([{ condition: 'service_healthy' }, { condition: 'service_healthy' }]);
  });

  it('runs the provider without rights, and with files that it cannot change', () => {
    expect(serviceOf('portico')).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(serviceOf('portico').volumes).toEqual(['./portico.jsonc:/etc/portico/portico.jsonc:ro']);
  });
});

/** The programs of the services, on free ports of this machine. */
class Programs {
  readonly folder: string;
  mails: RawSmtpServer['mails'] = [];
  private readonly ends: (() => unknown)[] = [];
  /** By the addresses of compose.yaml. */
  private readonly addresses = new Map<string, string>();

  constructor() {
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    this.folder = mkdtempSync(join(ROOT, '.cache/compose-'));
    cpSync(EXAMPLE, this.folder, { recursive: true });
  }

  /** The text with the addresses of this machine. */
  here(value: string): string {
    return [...this.addresses].reduce((all, [from, to]) => all.replaceAll(from, to), value);
  }

  async end(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- the database ends last
    for (const end of this.ends.reverse()) await end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A server with the role and the database of the service's variables. */
  async postgres(): Promise<void> {
    const server: MaybePostgres = await startPostgres();
    if (!('url' in server)) throw new Error(server.reason);
    this.ends.push(async () => server.stop());
    this.addresses.set('@postgres:5432', `@${new URL(server.url).host}`);
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = serviceOf('postgres').environment ?? {};
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(`create role ${POSTGRES_USER} login password '${POSTGRES_PASSWORD}'`);
    await client.query(`create database ${POSTGRES_DB} owner ${POSTGRES_USER}`);
    await client.end();
  }

  async mail(): Promise<void> {
    const server = await RawSmtpServer.start();
    this.ends.push(async () => server.close());
    this.addresses.set('smtp://mail:1025', `smtp://127.0.0.1:${server.port}`);
    this.mails = server.mails;
  }

  async portico(): Promise<void> {
    await ensureBuilt(['server'], () => undefined);
    const project = join(this.folder, 'portico.jsonc');
    writeFileSync(project, this.here(readFileSync(project, 'utf8')));
    const port = await getPort();
    this.addresses.set('http://portico:4100', `http://127.0.0.1:${port}`);
    // Pages have another address of the provider than servers, and so does each token that they get.
    this.addresses.set('http://localhost:4100', `http://localhost:${port}`);
    const { env, command } = containerfileOf('portico');
    const [, script = ''] = command;
    const main = script.replace('/app/node_modules/portico-provider', join(ROOT, 'provider'));
    const variables = {
      ...env,
      ...this.environmentOf('portico'),
      PORTICO_HOST: '127.0.0.1',
      PORTICO_PORT: String(port),
    };
    await this.run(['--enable-source-maps', main], this.folder, variables, /listening on /u);
  }

  async app(): Promise<void> {
    const { command } = containerfileOf('app');
    const folder = join(this.folder, 'app');
    await unpackPackage(inject('tarball'), folder);
    const port = await getPort();
    this.addresses.set('http://localhost:3000', `http://127.0.0.1:${port}`);
    const variables = { ...this.environmentOf('app'), HOST: '127.0.0.1', PORT: String(port) };
    await this.run(command.slice(1), folder, variables, /Listening on /u);
  }

  private environmentOf(name: string): Variables {
    const key = randomBytes(32).toString('base64url');
    return Object.fromEntries(
      Object.entries(serviceOf(name).environment ?? {}).map(([variable, value]) => [
        variable,
        this.here(value)
          .replace(/^\$\{PORTICO_KEY:\?[^}]{1,80}\}$/u, key)
          .replace('/etc/portico/', `${this.folder}/`),
      ]),
    );
  }

  private async run(args: readonly string[], cwd: string, variables: Variables, ready: RegExp): Promise<void> {
    const env = { ...outsideEnv, ...variables };
    const child: ChildProcess = start(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ends.push(async () => stop(child, 'SIGKILL'));
    await untilSays(child, ready);
  }
}

describe.skipIf(!hasPrograms())('the programs of the services of examples/compose', () => {
  const programs = new Programs();
  beforeAll(async () => {
    const starts: Readonly<Record<string, () => Promise<void>>> = {
      postgres: () => programs.postgres(),
      mail: () => programs.mail(),
      portico: () => programs.portico(),
      app: () => programs.app(),
    };
    for (const name of inOrder()) {
      // oxlint-disable-next-line no-await-in-loop -- each needs those before it
      await starts[name]?.();
    }
  });
  afterAll(() => programs.end());

  it('log a user in by email, whom the server of the app identifies', async () => {
    const app = programs.here('http://localhost:3000');
    expect(await (await fetch(app)).text()).toContain('<script src="/vendor/portico/portico.js">');
    expect((await fetch(`${app}/vendor/portico/portico.js`)).status).toBe(200);
    const settings = (await (await fetch(`${app}/api/settings`)).json()) as Variables;
    expect(settings).toMatchObject({ apiUrl: programs.here('http://localhost:4100') });
    const { apiUrl = '', publicToken = '' } = settings;
    const post = async (path: string, body: object) => {
      const headers = {
        authorization: `Basic ${Buffer.from(`${publicToken}:x`).toString('base64')}`,
        'content-type': 'application/json',
        origin: 'http://localhost:3000',
      };
      const reply = await fetch(apiUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await reply.json()) as { readonly data: Variables }).data;
    };
    const { method_id } = await post('/sdk/v1/otps/email/login_or_create', { email: 'ada@example.com' });
    const mail = await vi.waitFor(() => {
      const [first] = programs.mails;
      if (first === undefined) throw new Error('no mail');
      return first;
    });
    expect(mail).toMatchObject({ to: '<ada@example.com>', tls: false });
    const [, token] = /^Subject: (\d{6}) /mu.exec(mail.source) ?? [];
    const login = { token, method_id, session_duration_minutes: 30 };
    const { session_jwt, user_id } = await post('/sdk/v1/otps/authenticate', login);
    expect(user_id).toMatch(/^user-test-/u);
    const me = async (headers: Variables): Promise<unknown> => (await fetch(`${app}/api/me`, { headers })).json();
    expect(await me({ authorization: `Bearer ${session_jwt}` })).toEqual({ user_id });
    expect(await me({})).toEqual({ user_id: null });
    await surviveHostileRequests(app);
  });
});
