import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ADMIN_FILE } from '#provider/operation/store/admin-file.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run } from '#provider/operation/server/run.ts';
import { nameHere } from '#provider/operation/commands/operate.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { newMasterKey } from '#provider/base/security/master-key.ts';
import { freshStore } from '../kit/harness.ts';
import { managed, ran } from '../kit/managing.ts';

const { TEST_DATABASE_URL } = process.env;

it('an operator in a container whose number no user has is named by the number', () => {
  const unknown = (): never => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
  };
  expect(nameHere(unknown)).toBe(`uid ${process.getuid?.()}`);
  expect(nameHere(() => ({ username: 'grace' }))).toBe('grace');
});

describe('an operator’s command without a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-operate-'));
  let drop = async (): Promise<void> => undefined;
  afterAll(async () => {
    vi.unstubAllEnvs();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes no database where there is none', async () => {
    const data = join(folder, 'wrong');
    await expect(managed(['--data', data], 'users', 'list')).rejects.toThrow(/^There is no data in .*wrong: name/u);
    expect(existsSync(data)).toBe(false);
  });

  it('does not take another program, which has the port of a server that was killed, for that server', async () => {
    const data = join(folder, 'killed');
    await (await run(optionsFrom(['--dev', '--port', '0', '--data', data]))).stop();
    const replies = [
      [401, '{"error_type":"admin_secret_required","error_message":"no"}'],
      [404, '<h1>Not here</h1>'],
    ] as const;
    for (const [status, body] of replies) {
      const other = createServer((_, response) => response.writeHead(status).end(body));
      await new Promise<void>((resolve) => {
        other.listen(0, '127.0.0.1', resolve);
      });
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      writeFileSync(join(data, ADMIN_FILE), JSON.stringify({ url, secret: 'of the killed server' }));
      try {
        expect(await managed(['--data', data], 'users', 'list')).toBe('There are none.');
        const file = join(folder, `${status}.backup`);
        expect(await ran(['admin', 'backup', file, '--data', data], {})).toMatch(/contains \d+ rows/u);
      } finally {
        other.closeAllConnections();
        other.close();
      }
    }
  });

  it.runIf(TEST_DATABASE_URL)('does not change a schema that servers are told not to change', async () => {
    const fresh = await freshStore(TEST_DATABASE_URL, 'template1');
    drop = fresh.drop;
    const at = ['--database-url', fresh.store.kind === 'postgres' ? fresh.store.url : ''];
    vi.stubEnv('PORTICO_KEY', newMasterKey(systemRandom));
    await expect(managed([...at, '--no-migrate'], 'users', 'list')).rejects.toThrow('portico-provider migrate');
    vi.stubEnv('PORTICO_NO_MIGRATE', '1');
    await expect(managed(at, 'users', 'list')).rejects.toThrow('portico-provider migrate');
  });
});
