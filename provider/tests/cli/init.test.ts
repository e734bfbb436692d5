import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readMasterKeys } from '#provider/operation/store/key-file.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { readProject } from '#provider/operation/options/project-file.ts';
import { projectToServe } from '#provider/operation/server/serving.ts';
import type { Environment } from '#provider/operation/options/option-values.ts';
import { ran } from '../kit/managing.ts';

const root = mkdtempSync(join(tmpdir(), 'portico-init-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(root, 'x-'));
  path = join(folder, 'portico.jsonc');
});
const DATABASE = { PORTICO_DATABASE_URL: 'postgres://me:canary@db.example/x' };

const initProject = (words: readonly string[], env: Environment) => ran(['init', ...words], env);

describe('the command init', () => {
  it('writes a project file that can be served unchanged, with fresh ids', async () => {
    const said = await initProject([path, '--origin', 'https://shop.example'], {});
    const project = projectToServe(optionsFrom(['--project', path], {}));
    expect(project).toMatchObject({
      project_id: expect.stringMatching(/^project-live-[\da-f-]{36}$/u),
      public_token: expect.stringMatching(/^public-token-live-[\da-f-]{36}$/u),
      allow_loopback: false,
      origins: ['https://shop.example'],
      default_login_redirect_url: 'https://shop.example/',
      pkce_required_for_oauth: true,
    });
    expect(said).toContain(`Start the server: npx portico-provider --project ${path}\n`);
    expect(said).toContain(`new PorticoUIClient('${project.public_token}', { apiUrl: 'http://localhost:4100' })`);
    expect(said).toContain(
      `npx portico init --api-url http://localhost:4100 --public-token ${project.public_token} --project-id ${project.project_id}\n`,
    );
    expect(existsSync(join(folder, 'portico.key'))).toBe(false);
    const other = join(folder, 'other.jsonc');
    await initProject([other], {});
    expect(readProject(other, null, false).public_token).not.toBe(project.public_token);
  });

  it('makes the key of a database, unless there is one', async () => {
    const key = join(folder, 'portico.key');
    const said = await initProject([path], DATABASE);
    expect(said).toContain(`--key-file ${key}`);
    expect(said).not.toContain('canary');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readMasterKeys({ kind: 'file', path: key }, false)).toHaveLength(1);
    for (const env of [{ PORTICO_KEY: 'k' }, { PORTICO_KEY_FILE: key }]) {
      const before = readFileSync(key, 'utf8');
      await initProject([join(folder, `${Object.keys(env)[0] ?? ''}.jsonc`)], { ...DATABASE, ...env });
      expect(readFileSync(key, 'utf8')).toBe(before);
    }
  });

  it('writes the address of the server, if it is given, and refuses what is none', async () => {
    const said = await initProject(
      [path, '--origin', 'https://shop.example', '--issuer', 'https://auth.shop.example'],
      {},
    );
    expect(said).toContain("{ apiUrl: 'https://auth.shop.example' }");
    expect(readProject(path, null, false).issuer).toBe('https://auth.shop.example');
    const wrong = initProject([join(folder, 'x.jsonc'), '--issuer', 'auth.shop.example'], {});
    await expect(wrong).rejects.toThrow('--issuer must be the address of this server');
  });

  it('overwrites nothing, and leaves nothing behind when it fails', async () => {
    writeFileSync(path, 'mine');
    await expect(initProject([path], {})).rejects.toThrow(`${path} exists already; name another file, or remove it.`);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    rmSync(path);
    writeFileSync(join(folder, 'portico.key'), 'mine');
    await expect(initProject([path], DATABASE)).rejects.toThrow(/^Cannot make the key file .*: EEXIST\.$/u);
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(join(folder, 'portico.key'), 'utf8')).toBe('mine');
    await expect(initProject(['/nowhere/x.jsonc'], {})).rejects.toThrow('Cannot write /nowhere/x.jsonc: ENOENT.');
    await expect(initProject([path, 'second'], {})).rejects.toThrow(
      /^Unexpected argument 'second'\. Usage: portico-provider init \[FILE\]/u,
    );
    await expect(initProject([path, '--origin', 'https://a.example/path'], {})).rejects.toThrow(/^--origin must be/u);
  });
});

describe('a mistake in a project file', () => {
  const attempt = (text: string) => () => {
    writeFileSync(path, text);
    return readProject(path, null, false);
  };

  it.each([
    ['{\n  // one\n  "name": "x"\n  "vertical": "B2B"\n}', 'the project file is not JSON (line 4: comma expected)'],
    ['{ "name": canary }', 'the project file is not JSON (line 1: invalid symbol)'],
    ['', 'the project file is not JSON (line 1: value expected)'],
    ['{\n "name": "a",\n "name": "b"\n}', 'in the project file, name is given twice (line 3)'],
    ['{ "idp": { "x y": 1,\n "x y": 2 } }', 'in the project file, idp.(an odd name) is given twice (line 2)'],
    [
      '{\n  "clients": [\n    {\n      "client_id": 5\n    }\n  ]\n}',
      'in the project file, clients[0].client_id must be a string (line 4)',
    ],
    [
      '{\n  "clients": [\n    {\n      "client_id": "a"\n    }\n  ]\n}',
      'in the project file, clients[0].client_type must be one of public, confidential (line 3)',
    ],
  ])('is told with its line: %j', (text, sentence) => {
    expect(attempt(text)).toThrow(`${path}: ${sentence}`);
    expect(attempt(text)).not.toThrow(/canary/u);
  });

  it('is not a comment, nor a comma at the end', () => {
    const project = attempt(
      '/* mine */ {\n "origins": ["https://a.example",], // mine\n "redirect_urls": ["https://a.example/"],' +
        '"default_login_redirect_url": "https://a.example/", "default_signup_redirect_url": "https://a.example/",\n}',
    )();
    expect(project.origins).toEqual(['https://a.example']);
  });
});
