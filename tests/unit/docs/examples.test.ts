import { commandFrom } from '#composition/tools/command.ts';
import { initOptionsFrom } from '#composition/tools/init/init-options.ts';
import { namesCommand } from '#provider/operation/commands/run-command.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { requestFrom } from '#provider/operation/commands/requests.ts';
import { OPTIONS, type OptionSpec } from '#provider/operation/options/option-table.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'lightningcss';
import { afterAll, describe, expect, it } from 'vitest';
import type { PorticoClient } from '#composition/client.ts';
import { CHECKERS } from '#scripts/lib/gates.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { ensureBuilt } from '#scripts/lib/steps.ts';
import { shownSamples } from '../demo/shown-samples.ts';
import { allExamples, examplesOf, type Example } from './examples.ts';

mkdirSync(join(ROOT, '.cache'), { recursive: true });
/** Inside the repository, so that its names for the entries hold; ignored by git. */
const dir = mkdtempSync(join(ROOT, '.cache/docs-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Parts of `examples/` are left out, which are compiled as they are, and files of the reader's app, which are compiled in a starter. */
const all = allExamples().filter(({ from, path }) => from === null && path === null);
const KINDS: Readonly<Record<string, string>> = { ts: 'ts', typescript: 'ts', tsx: 'tsx', js: 'js' };
const examples = all.filter(({ language }) => language in KINDS);
const nameOf = ({ page, line, file, language }: Example): string =>
  file ?? `${page.replaceAll(/\W+/gu, '-')}-line-${line}.${KINDS[language] ?? language}`;

/** The pages make a client once; what follows goes on with it. */
function moduleOf({ source, file, language }: Example): string {
  // A script of a page is no module: its global is the script tag's.
  if (language === 'js') return source;
  const own = /\b(?:const|let) client\b/u.test(source) || !/\bclient\b/u.test(source);
  const given = "import { PorticoClient as Given } from 'portico/headless';\ndeclare const client: Given;\n";
  return `${own || file?.endsWith('.test.ts') === true ? '' : given}${source}\nexport {};\n`;
}

/** The scripts that a page of HTML holds. */
const scriptsIn = (html: string): readonly string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/gu)].map(([, script = '']) => script);

const pages = all.filter(({ language }) => language === 'html');
for (const example of examples) writeFileSync(join(dir, nameOf(example)), moduleOf(example));
for (const example of pages) {
  const scripts = scriptsIn(example.source);
  // In a block each, because scripts of different pages do not see each other.
  if (scripts.length > 0) writeFileSync(join(dir, `${nameOf(example)}.js`), `{\n${scripts.join('\n}\n{\n')}\n}\n`);
}
for (const [name, source] of shownSamples()) writeFileSync(join(dir, name), source);
writeFileSync(join(dir, 'global.d.ts'), "declare const Portico: typeof import('portico/standalone');\n");
writeFileSync(
  join(dir, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.json',
    // The package by its name, with the types that hosts get: its sources are checked by the gate of types.
    compilerOptions: { paths: {}, noUnusedLocals: false, erasableSyntaxOnly: true, allowJs: true, checkJs: true },
    include: ['*.ts', '*.tsx', '*.js', join(ROOT, 'src/composition/prerender/script-text.d.ts')],
  }),
);

const named = (language: string) =>
  all.filter((one) => one.language === language).map((one) => [`${one.page}, line ${one.line}`, one.source] as const);

/** The commands of a shell sample: lines that end in a backslash go on, comments are none. */
const commandsOf = (source: string): readonly string[] =>
  source
    .replaceAll(/\\\n\s*/gu, '')
    .replaceAll(/(?:^|\s)#.*$/gmu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** What a command of the documents may be beside the scripts of this repository. */
const NPM = new Set(['create', 'init', 'install', 'pack', 'run', 'sbom', 'start', 'test']);
/** Programs of the reader's machine. */
const PROGRAMS = new Set(['cd', 'docker', 'kubectl', 'mkdir', 'node', 'podman', 'sed']);
/** The commands of Playwright that install a browser. */
const BROWSER_INSTALLS = new Set(['npx playwright install chromium']);
/** Packages that make an app. */
const STARTERS = new Set(['create-next-app@latest']);
const VARIABLES = new Set(
  Object.values(OPTIONS).flatMap(({ variable = '' }: OptionSpec) => [variable, `${variable}_FILE`]),
);

/** What is wrong with the arguments of `portico-provider`; null if nothing is. */
function providerProblem(words: readonly string[]): string | null {
  try {
    if (namesCommand(words)) requestFrom(words, {});
    else optionsFrom(words, {});
    return null;
  } catch (error) {
    return String(error);
  }
}

/** What is wrong with the arguments of `portico`; null if nothing is. */
function loginProblem(words: readonly string[]): string | null {
  try {
    if (words[0] === 'init') initOptionsFrom(words.slice(1));
    else commandFrom(words);
    return null;
  } catch (error) {
    return String(error);
  }
}

function commandProblem(command: string): string | null {
  const [program, verb = '', script = ''] = command.split(/\s+/u);
  if (program === 'portico-provider') return providerProblem(command.split(/\s+/u).slice(1));
  if (program === 'npx' && verb === 'portico-provider') return providerProblem(command.split(/\s+/u).slice(2));
  if (program === 'npx' && (STARTERS.has(verb) || BROWSER_INSTALLS.has(command))) return null;
  if (program === 'npx' && verb === 'portico') return loginProblem(command.split(/\s+/u).slice(2));
  if (program === 'export') {
    const names = [...command.matchAll(/\b(PORTICO_\w+)=/gu)].map(([, name = '']) => name);
    return names.length > 0 && names.every((name) => VARIABLES.has(name)) ? null : `sets no option: ${command}`;
  }
  if (PROGRAMS.has(program ?? '')) return null;
  const [, given] = command.split('npm run provider -- ');
  if (given !== undefined) return providerProblem(given.split(/\s+/u));
  if (program !== 'npm' || !NPM.has(verb)) return `is no command of this repository: ${command}`;
  const needed = verb === 'run' ? script : verb;
  return ['create', 'init', 'install', 'pack', 'sbom'].includes(verb) || needed in manifest.scripts
    ? null
    : `no script is called ${needed}`;
}

describe('the examples of the documentation', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(15);
    expect(examples.some(({ page }) => page === 'README.md')).toBe(true);
    expect(new Set(examples.map(nameOf)).size).toBe(examples.length);
  });

  it('are in languages that are checked here, or are plain text', () => {
    const checked = new Set([...Object.keys(KINDS), 'html', 'css', 'sh', 'http', 'text', 'json']);
    expect(all.filter(({ language }) => !checked.has(language))).toEqual([]);
  });

  it('are read with their names and lines', () => {
    const page =
      'Text\n\n```ts file=a.ts\nlet a;\n```\n\n```sh\nnpm start\n```\n```tsx from=examples/b.tsx\n<b/>;\n```\n```text path=.env\nA=1\n```\n';
    expect(examplesOf('p.md', page)).toEqual([
      { page: 'p.md', line: 3, file: 'a.ts', from: null, path: null, language: 'ts', source: 'let a;\n' },
      { page: 'p.md', line: 7, file: null, from: null, path: null, language: 'sh', source: 'npm start\n' },
      { page: 'p.md', line: 10, file: null, from: 'examples/b.tsx', path: null, language: 'tsx', source: '<b/>;\n' },
      { page: 'p.md', line: 13, file: null, from: null, path: '.env', language: 'text', source: 'A=1\n' },
    ]);
  });

  it('compile, all of them and those that the demo shows, also for those who only erase types', async () => {
    await ensureBuilt(['types'], () => undefined);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    let said = '';
    try {
      execFileSync(process.execPath, [tsc, '-p', dir, '--pretty', 'false', '--checkers', CHECKERS], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      said = (error as { stdout: string }).stdout;
    }
    expect(said).toBe('');
  });

  it.each(named('css'))('%s, is a stylesheet without an error', (_where, source) => {
    expect(transform({ filename: 'page.css', code: Buffer.from(source) }).warnings).toEqual([]);
  });

  it.each(named('sh'))('%s, names commands that are there', (_where, source) => {
    const commands = commandsOf(source);
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.map(commandProblem).filter((problem) => problem !== null)).toEqual([]);
  });

  it('a missing command is reported', () => {
    expect(commandsOf('npm start # x\nnpm run \\\n  build\n')).toEqual(['npm start', 'npm run build']);
    expect(commandProblem('npm run provide -- --dev')).toBe('no script is called provide');
    expect(commandProblem('npx portico-provider serve')).toMatch(/^Error: Unknown command 'serve'/u);
    expect(commandProblem('portico-provider --prot 1')).toMatch(/^Error: Unknown option '--prot'/u);
    expect(commandProblem('npm run provider -- users lock')).toMatch(/^Error: Missing required argument 'USER'/u);
    expect(commandProblem('export PORTICO_PROT=1')).toBe('sets no option: export PORTICO_PROT=1');
    expect(commandProblem('npx portico prerender --opt x')).toMatch(/There is no --opt\. Did you mean --options\?/u);
    expect(commandProblem('yarn start')).toBe('is no command of this repository: yarn start');
  });

  it.each([...named('http'), ...named('json')])('%s, can be read', (_where, source) => {
    if (source.trimStart().startsWith('{')) expect(JSON.parse(source)).toBeTypeOf('object');
    else expect(source).toMatch(/^[A-Z][\w-]*: [^\n]+\n$/u);
  });
});

it.each(['in-memory.ts', 'login-in-memory.ts'])('%s, a client in memory, runs as the page says', async (file) => {
  await import(/* @vite-ignore */ pathToFileURL(join(dir, file)).href);
});

it('the components of a test get a client with a session', async () => {
  const { signedInAs } = (await import(/* @vite-ignore */ pathToFileURL(join(dir, 'signed-in-as.tsx')).href)) as {
    signedInAs(email: string, children: null): Promise<{ client: PorticoClient }>;
  };
  const { client } = await signedInAs('ada@example.com', null);
  expect(client.user.getSync()?.emails[0]?.email).toBe('ada@example.com');
  client.destroy();
});

// The suites of the adapters' page declare their tests here.
const suites = examples.filter(({ file }) => file?.endsWith('.test.ts') === true);
for (const suite of suites) {
  describe(`${suite.page}, line ${suite.line}`, async () => {
    await import(/* @vite-ignore */ pathToFileURL(join(dir, nameOf(suite))).href);
  });
}

describe('the adapters of the documentation', () => {
  it('have suites that run', () => expect(suites.map(({ file }) => file)).toContain('prefixed-storage.test.ts'));
});
