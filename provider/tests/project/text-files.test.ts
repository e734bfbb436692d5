import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readProject } from '#provider/operation/options/project-file.ts';
import { readMasterKeys } from '#provider/operation/store/key-file.ts';
import { readFolder } from '#provider/operation/projects/folder.ts';
import { readSecretFile } from '#provider/project/readers/secret-text.ts';
import { ProjectText } from '#provider/operation/options/project-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-texts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MARK = '\uFEFF';
const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('base64url');

const inFolder = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};
const utf16 = (text: string): Buffer => Buffer.from(MARK + text, 'utf16le');

describe('a file that people write', () => {
  it('may begin with a byte order mark', () => {
    expect(readProject(inFolder('project.json', `${MARK}{ "name": "Acme" }`), null, true).name).toBe('Acme');
    expect(readMasterKeys({ kind: 'file', path: inFolder('database.key', `${MARK}${KEY}\r\n`) }, false)).toHaveLength(
      1,
    );
    mkdirSync(join(folder, 'acme'));
    inFolder('acme/portico.jsonc', `${MARK}{ "public_token": "public-token-test-1", "project_id": "project-test-1" }`);
    inFolder('acme/portico.env', `${MARK}PORTICO_DATABASE_URL=postgres://db.example/acme\r\n`);
    const read = readFolder(folder, 'acme', (text) => new ProjectText(text).json);
    expect(read.variables).toMatchObject({ PORTICO_DATABASE_URL: 'postgres://db.example/acme' });
  });

  it('names a project to the router as to its server: without blanks around a value', () => {
    mkdirSync(join(folder, 'blanks'));
    const tokens = '"public_token": " public-token-test-2\u00A0", "project_id": "\tproject-test-2"';
    const json = `{ ${tokens.replaceAll('\t', '\\t')}, "issuer": "\u00A0https://blanks.example " }`;
    const path = inFolder('blanks/portico.jsonc', json);
    inFolder('blanks/portico.env', 'PORTICO_DATABASE_URL=" "\nPORTICO_DATA=" elsewhere "\n');
    const read = readFolder(folder, 'blanks', (text) => new ProjectText(text).json);
    const { public_token, project_id, issuer } = readProject(path, null, true);
    expect(read.tokens).toEqual([public_token, project_id]);
    expect(`https://${read.host}`).toBe(issuer);
    expect(read.variables).toEqual({ PORTICO_PROJECT: 'portico.jsonc', PORTICO_DATA: 'elsewhere' });
    expect(read.database).toBe(join(folder, 'blanks', 'elsewhere'));
  });

  it('is refused in UTF-16, with the remedy', () => {
    expect(() => readProject(inFolder('wide.json', utf16('{}')), null, true)).toThrow('save it as UTF-8');
    const path = inFolder('wide.key', utf16(KEY));
    expect(() => readMasterKeys({ kind: 'file', path }, false)).toThrow('save it as UTF-8');
  });

  it('is refused in another encoding, whose letters would be replaced without a word', () => {
    const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
    const read = (): unknown => readProject(inFolder('latin.json', latin('{ "name": "Größe" }')), null, true);
    expect(read).toThrow('not UTF-8: save it as UTF-8');
    const path = inFolder('latin.secret', latin('schlüssel'));
    expect(() => readSecretFile(path)).toThrow('it is not UTF-8: save it as UTF-8');
  });

  it('is read by one function: these files read what a program wrote', () => {
    const sources = readdirSync('provider/src', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const reading = sources.filter((name) =>
      /readFile(?:Sync)?\([^;]*?'utf8'/u.test(readFileSync(join('provider/src', name), 'utf8')),
    );
    expect(reading.sort()).toEqual([
      'api/clientside/phone-numbers.ts',
      'base/db/engine/folder-claim.ts',
      'base/db/template.ts',
      'base/port-owner.ts',
      'base/security/keys-file.ts',
      'operation/commands/backup.ts',
      'operation/server/version.ts',
      'operation/store/admin-file.ts',
    ]);
  });
});
