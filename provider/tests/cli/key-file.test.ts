import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeKeyFile, readMasterKeys } from '#provider/operation/store/key-file.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { run } from '#provider/operation/server/run.ts';
import { systemRandom } from '#provider/base/platform.ts';
import { masterKeysFrom, newMasterKey, unwrap, wrap } from '#provider/base/security/master-key.ts';
import { DATABASES, freshStore } from '../kit/harness.ts';
import { ran } from '../kit/managing.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a server needs without `--dev`. */
const PROJECT = {
  origins: ['https://shop.example'],
  redirect_urls: ['https://shop.example/in'],
  default_login_redirect_url: 'https://shop.example/in',
  default_signup_redirect_url: 'https://shop.example/in',
};

const BYTES = Uint8Array.from({ length: 32 }, (_, index) => 255 - index * 3);
const base64url = Buffer.from(BYTES).toString('base64url');
const base64 = Buffer.from(BYTES).toString('base64');
const hex = Buffer.from(BYTES).toString('hex');
const file = (name: string, content: string, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
};

describe('a master key', () => {
  it.each([base64url, base64, hex, hex.toUpperCase(), `\n  ${base64}  \n`])('is read as %j', (text) => {
    expect(masterKeysFrom(text)).toEqual([BYTES]);
  });

  it('is the first of several: the others only open', () => {
    const [older, newer] = [newMasterKey(systemRandom), newMasterKey(systemRandom)];
    expect(masterKeysFrom(`# of May\n${newer}\n# of January\n${older}\n`)).toEqual(masterKeysFrom(`${newer},${older}`));
    const sealed = wrap(systemRandom, masterKeysFrom(older), 'name', 'text');
    expect(unwrap(masterKeysFrom(`${newer} ${older}`), 'name', sealed)).toEqual({ text: 'text', stale: true });
    expect(unwrap(masterKeysFrom(`${older} ${newer}`), 'name', sealed)).toEqual({ text: 'text', stale: false });
    expect(unwrap(masterKeysFrom(newer), 'name', sealed)).toBeNull();
    expect(unwrap(masterKeysFrom(older), 'other name', sealed)).toBeNull();
    expect(unwrap(masterKeysFrom(older), 'name', `${sealed.slice(0, -4)}AAAA`)).toBeNull();
  });

  it.each([
    ['', 'is empty'],
    ['# nothing', 'is empty'],
    ['correct horse battery staple', 'must hold 32 random bytes'],
    [base64url.slice(1), 'must hold 32 random bytes'],
    [`${hex}00`, 'must hold 32 random bytes'],
    ['A'.repeat(43), 'must hold 32 random bytes'],
    ['0123456789abcdef'.repeat(4), 'must hold 32 random bytes'],
    [`${base64url},short`, 'must hold 32 random bytes'],
  ])('is not %j, which no refusal repeats', (text, reason) => {
    expect(() => masterKeysFrom(text)).toThrow(reason);
    const refusal = String(attempt(() => readMasterKeys({ kind: 'variable', text }, false)));
    expect(refusal).toMatch(/^Error: PORTICO_KEY (?:is empty|must hold)/u);
    if (text !== '') expect(refusal).not.toContain(text);
  });

  it('is readable by its owner only, and never overwrites a file', async () => {
    const path = join(folder, 'made.key');
    expect(makeKeyFile(path, systemRandom)).toContain(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [key] = readMasterKeys({ kind: 'file', path }, false);
    expect(key).toHaveLength(32);
    const before = readFileSync(path, 'utf8');
    expect(() => makeKeyFile(path, systemRandom)).toThrow(`Cannot make the key file ${path}: EEXIST.`);
    expect(readFileSync(path, 'utf8')).toBe(before);
    for (const args of [[], [''], ['--out'], ['a', 'b']]) {
      await expect(ran(['keys', ...args])).rejects.toThrow(/'FILE'|FILE must be|'--out'|'b'/u);
    }
  });

  it.each([0o644, 0o604, 0o660, 0o606, 0o601])('is refused from a file of mode %o', (mode) => {
    const path = file(`mode-${mode}.key`, base64, mode);
    expect(() => readMasterKeys({ kind: 'file', path }, false)).toThrow(`chmod 600 ${path}`);
  });

  it.each([0o600, 0o400, 0o440, 0o640])('is taken from a file of mode %o', (mode) => {
    const path = file(`good-${mode}.key`, base64, mode);
    expect(readMasterKeys({ kind: 'file', path }, false)).toEqual([BYTES]);
  });

  it('is required, with instructions how to make one', () => {
    expect(() => readMasterKeys(null, false)).toThrow(
      /^--database-url needs a key .* make one with "npx portico-provider keys/u,
    );
    const path = join(folder, 'none.key');
    expect(() => readMasterKeys({ kind: 'file', path }, false)).toThrow(`Cannot read the key file ${path}: ENOENT.`);
  });
});

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

const postgres = DATABASES.find(([name]) => name === 'postgres')?.[1];

describe.runIf(postgres !== undefined)('a server on a database of yours', () => {
  it('does not start without its key, and changes nothing then', async () => {
    const { store, drop } = await freshStore(postgres);
    const project = file('project.json', JSON.stringify(PROJECT), 0o600);
    const url = store.kind === 'postgres' ? store.url : '';
    const at = ['--port', '0', '--drain-seconds', '0', '--project', project, '--database-url', url];
    await expect(run(optionsFrom(at, {}))).rejects.toThrow(/^--database-url needs a key/u);
    const [right, wrong] = [join(folder, 'right.key'), join(folder, 'wrong.key')];
    for (const path of [right, wrong]) makeKeyFile(path, systemRandom);
    await (await run(optionsFrom([...at, '--key-file', right], {}))).stop();
    const strange = run(optionsFrom([...at, '--key-file', wrong], {}));
    await expect(strange).rejects.toThrow(/^The key does not open this database: /u);
    const env = { PORTICO_KEY: `${readFileSync(wrong, 'utf8')},${readFileSync(right, 'utf8')}` };
    await (await run(optionsFrom(at, env))).stop();
    await (await run(optionsFrom(at, { PORTICO_KEY_FILE: wrong }))).stop();
    await drop();
  });
});
