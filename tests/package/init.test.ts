import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { outsideEnv } from '#scripts/lib/pack.ts';
import { starterFiles } from '../unit/docs/guide-files.ts';
import { unpackPackage } from './pack.ts';

/** An app that has the package, and no other. */
const folder = mkdtempSync(join(tmpdir(), 'portico-init-'));
beforeAll(async () => unpackPackage(inject('tarball'), folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  const manifest = JSON.stringify({ main: 'app.js', dependencies: { express: '*', portico: '*' } });
  for (const [name, text] of Object.entries({ ...starterFiles('express'), 'package.json': manifest })) {
    writeFileSync(join(folder, name), text);
  }
});

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const portico = async (...args: readonly string[]): Promise<Run> =>
  new Promise((resolve) => {
    const command = [join(folder, 'node_modules/portico/dist/cli.js'), ...args];
    execFile(process.execPath, command, { cwd: folder, env: outsideEnv }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe('npx portico in an app without React', () => {
  it('writes the files of the guide that the package holds, and changes a file after --replace alone', async () => {
    const before = readFileSync(join(folder, 'app.js'), 'utf8');
    const { status, stdout, stderr } = await portico('init');
    expect([status, stderr]).toEqual([2, '']);
    expect(stdout).toMatch(/^Express, as in node_modules\/portico\/docs\/with-express\.md\n {2}written {3}\.env /u);
    expect(stdout).toContain('There is no terminal for questions, so existing files were kept.');
    expect(existsSync(join(folder, 'portico/public/login.js'))).toBe(true);
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).toBe(before);
    expect(await portico('init', '--replace', 'app.js')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, 'app.js'), 'utf8')).toContain("app.use(require('./portico.mjs').portico)");
  });

  it('names the mistake, and lists its commands', async () => {
    expect(await portico('init', '--framwork', 'vue')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no --framwork. Did you mean --framework?\n',
    });
    const unknown = await portico('innit');
    expect([unknown.status, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no command innit\. Did you mean init\?\n\nnpx portico init /u),
    ]);
    for (const args of [[], ['--help']]) {
      expect(await portico(...args)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^npx portico init /u) });
    }
    expect((await portico('init', '--help')).stdout).toContain('--replace FILE');
  });
});
