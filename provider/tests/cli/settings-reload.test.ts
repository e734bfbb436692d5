import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#provider/base/log/log.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run, type RunningServer } from '#provider/operation/server/run.ts';
import { settingsOf } from '#provider/operation/server/settings.ts';
import { SettingsReload } from '#provider/operation/server/settings-reload.ts';
import type { Project } from '#provider/project/settings/project.ts';
import {
  ANY_DATABASE,
  basic,
  EITHER_DATABASE,
  freshStore,
  makeProvider,
  PUBLIC_TOKEN,
  type Fields,
  type Provider,
} from '../kit/harness.ts';
import { RawSmtpServer } from '../kit/raw-smtp-server.ts';
import { buildServer, killServers, spawnPublic, startPublicServer } from '../kit/server-process.ts';
import { soakIt } from '#tests/soak-tests.ts';

const PAGE = 'https://shop.example';
const OTHER = 'https://other.example';
const file = (fields: Fields = {}, pages: readonly string[] = [PAGE]): string =>
  JSON.stringify({
    public_token: PUBLIC_TOKEN,
    origins: pages,
    redirect_urls: pages.map((page) => `${page}/`),
    default_login_redirect_url: `${PAGE}/`,
    default_signup_redirect_url: `${PAGE}/`,
    ...fields,
  });

const folder = mkdtempSync(join(tmpdir(), 'portico-reload-'));
const path = join(folder, 'portico.jsonc');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => writeFileSync(path, file()));

describe.each(EITHER_DATABASE)('a reload of the project file, on %s', (_, url) => {
  const NEVER_MS = 3_600_000;
  let provider: Provider;
  let reloading: SettingsReload | undefined;
  beforeAll(async () => {
    provider = await makeProvider(url);
  });
  afterEach(() => reloading?.stop());
  afterAll(() => provider.close());

  const served = (watchMs = NEVER_MS) => {
    const lines: string[] = [];
    const adopted: Project[] = [];
    const options = optionsFrom(['--project', path, '--data', 'memory'], {});
    const log = createLog({ level: 'info', format: 'text' }, (line) => lines.push(line));
    const ended: string[] = [];
    const made = new SettingsReload({ ...provider.services, log }, settingsOf(options), {
      file: path,
      watchMs,
      read: () => settingsOf(options),
      prepare: ({ project }) => {
        if (project.name === 'unprepared') throw new Error('a carrier refuses');
        return () => {
          adopted.push(project);
          return Promise.resolve(void ended.push(project.name));
        };
      },
    });
    reloading = made;
    return { made, lines, adopted, ended };
  };
  const records = async () => {
    const rows = provider.services.db.selectFrom('audit_log').select(['details', 'actor_kind', 'seq']);
    return (await rows.where('event', '=', 'settings_reloaded').orderBy('seq').execute()).map((row) => row.details);
  };

  it('adopts all changes, once, and records their names', async () => {
    const { made, adopted, ended } = served();
    const before = (await records()).length;
    writeFileSync(path, file({ name: 'New' }, [PAGE, OTHER]));
    await Promise.all([made.reload(), made.reload()]);
    expect(adopted).toEqual([expect.objectContaining({ name: 'New', origins: [PAGE, OTHER] })]);
    expect(ended).toEqual(['New']);
    expect((await records()).slice(before)).toEqual([{ fields: ['name', 'origins', 'redirect_urls'] }]);
  });

  it.each([
    ['a field', file({ name: 'New', origins: [PAGE, 'shop'] }), /origins\[1\] .*\(line 1\)/u],
    ['what is not JSON', '{ "name": ', /not JSON \(line 1/u],
    [
      'an option of delivery',
      file({ delivery: { smtp: { url: 'http://x', from: 'a@b.example' } } }),
      /delivery\.smtp\.url/u,
    ],
    ['a folder of templates', file({ delivery: { templates: 'absent' } }), /absent, which delivery\.templates names/u],
    ['what needs a restart', file({ name: 'New', issuer: 'https://a.example' }), /issuer cannot change/u],
    ['what cannot be prepared', file({ name: 'unprepared' }), /reason="Error"/u],
  ])('changes nothing when %s is wrong, and says so', async (__, text, reason) => {
    const { made, lines, adopted, ended } = served();
    const before = (await records()).length;
    writeFileSync(path, text);
    await made.reload();
    expect([adopted, ended, (await records()).slice(before)]).toEqual([[], [], []]);
    expect(lines.join('')).toMatch(/^error: .*not reloaded/u);
    expect(lines.join('')).toMatch(reason);
    writeFileSync(path, file({ name: 'Right again' }));
    await made.reload();
    expect(adopted).toEqual([expect.objectContaining({ name: 'Right again' })]);
  });

  it('follows the change of the file', async () => {
    const { made, adopted } = served(20);
    made.watch();
    writeFileSync(path, file({ name: 'A name that is longer than before' }));
    await expect.poll(() => adopted.map(({ name }) => name)).toEqual(['A name that is longer than before']);
  });

  it('begins nothing once the server stops, which waits for one that is under way', async () => {
    const { made, adopted, ended } = served();
    writeFileSync(path, file({ name: 'Under way' }));
    const underWay = made.reload();
    // It is past its check: the file was read, and the record is being written.
    await Promise.resolve();
    writeFileSync(path, file({ name: 'Too late' }));
    const stopped = made.stop();
    const late = made.reload();
    await stopped;
    const atTheEnd = [...ended];
    await Promise.all([underWay, late]);
    expect([adopted.map(({ name }) => name), atTheEnd, ended]).toEqual([['Under way'], ['Under way'], ['Under way']]);
  });

  it('is repeated when it could not be recorded', async () => {
    const { db } = provider.services;
    const { made, adopted, lines } = served(20);
    await db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    writeFileSync(path, file({ name: 'Later' }));
    await made.reload();
    expect(adopted).toEqual([]);
    expect(lines.join('')).toMatch(/not reloaded/u);
    await db.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
    await expect.poll(() => adopted.map(({ name }) => name)).toEqual(['Later']);
  });
});

describe('a server', () => {
  const allowed = async (url: string, origin: string): Promise<boolean> => {
    const reply = await fetch(`${url}/sdk/v1/sessions/authenticate`, { method: 'OPTIONS', headers: { origin } });
    return reply.headers.get('access-control-allow-origin') === origin;
  };

  soakIt('serves the new origins, sends by the new mail server and has the new limits, without a restart', async () => {
    const mails = await Promise.all([RawSmtpServer.start(), RawSmtpServer.start()]);
    const by = (at: number, fields: Fields = {}, pages?: readonly string[]) => {
      const smtp = { url: `smtp://127.0.0.1:${mails[at]?.port ?? 0}`, from: 'login@shop.example' };
      writeFileSync(path, file({ delivery: { smtp }, ...fields }, pages));
    };
    by(0);
    const server: RunningServer = await run(
      optionsFrom(
        ['--project', path, '--data', 'memory', '--port', '0', '--drain-seconds', '0', '--log-level', 'silent'],
        {},
      ),
    );
    const send = async (email: string) => {
      const headers = {
        authorization: basic(PUBLIC_TOKEN, PUBLIC_TOKEN),
        'content-type': 'application/json',
        origin: PAGE,
      };
      const body = JSON.stringify({ email });
      return (await fetch(`${server.url}/sdk/v1/otps/email/login_or_create`, { method: 'POST', headers, body })).status;
    };
    expect(await send('ada@shop.example')).toBe(200);
    await expect.poll(() => mails.map((smtp) => smtp.mails.length)).toEqual([1, 0]);
    expect(await allowed(server.url, OTHER)).toBe(false);
    by(1, { limits: { sends_per_address: { max: 1, seconds: 3600 } } }, [PAGE, OTHER]);
    await server.reload?.();
    expect(await allowed(server.url, OTHER)).toBe(true);
    expect(await send('grace@shop.example')).toBe(200);
    await expect.poll(() => mails.map((smtp) => smtp.mails.length)).toEqual([1, 1]);
    expect(await send('grace@shop.example')).toBe(429);
    await server.stop();
    await Promise.all(mails.map((smtp) => smtp.close()));
  });

  soakIt('has the new limits on the operators’ page', async () => {
    const server = await run(
      optionsFrom(
        ['--project', path, '--data', 'memory', '--port', '0', '--operators-port', '0', '--log-level', 'silent'],
        {},
      ),
    );
    const origin = new URL(server.operatorsUrl ?? '').origin;
    const start = async () =>
      (await fetch(`${origin}/operators/login/start`, { method: 'POST', headers: { origin } })).status;
    expect(await start()).toBe(200);
    writeFileSync(path, file({ limits: { searches_per_network: { max: 1, seconds: 86_400 } } }));
    await server.reload?.();
    await start();
    expect(await start()).toBe(429);
    await server.stop();
  });

  soakIt('is not ended by a SIGHUP during its start', async () => {
    await buildServer();
    const key = join(folder, 'key');
    writeFileSync(key, randomBytes(32).toString('base64url'));
    // A database that takes the connection and closes it: the server is in the middle of its start, and then gives up.
    const database = createServer((socket) => {
      socket.on('error', () => undefined);
      child.kill('SIGHUP');
      socket.destroy();
    });
    await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
    const { port } = database.address() as AddressInfo;
    const at = ['--database-url', `postgres://a@127.0.0.1:${port}/a`, '--key-file', key];
    const child = spawnPublic('--project', path, '--port', '0', ...at);
    const end = await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
    expect(end).toBe(1);
    killServers();
    database.close();
  });

  it('adopts the project file on SIGHUP', async () => {
    await buildServer();
    const { store, drop } = await freshStore(ANY_DATABASE);
    const key = join(folder, 'key-of-postgres');
    writeFileSync(key, randomBytes(32).toString('base64url'), { mode: 0o600 });
    const at = store.kind === 'postgres' ? ['--database-url', store.url, '--key-file', key] : ['--data', 'memory'];
    const { url, child, ended, output } = await startPublicServer('--project', path, ...at, '--port', '0');
    expect(url, output()).not.toBe('');
    expect(await allowed(url, OTHER)).toBe(false);
    writeFileSync(path, file({}, [PAGE, OTHER]));
    child.kill('SIGHUP');
    await expect.poll(() => allowed(url, OTHER)).toBe(true);
    expect(child.exitCode).toBeNull();
    killServers();
    await ended;
    await drop();
  });
});
