import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { nameHere } from '../../src/operation/cli/operate.ts';
import { systemRandom } from '../../src/base/platform.ts';
import { newMasterKey } from '../../src/base/security/master-key.ts';
import { freshStore } from '../kit/harness.ts';
import { managed } from '../kit/managing.ts';

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
