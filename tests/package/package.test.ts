import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { entriesThatRun, entryOf, IMPORTABLE, importNameOf } from '#scripts/lib/entries.ts';
import { installHost, type Host } from './host.ts';
import { oneOf, SOAK } from '../soak.ts';
import { soakIt } from '../soak-tests.ts';

const ALL = IMPORTABLE.map(importNameOf);
/** What imports Next is built by Next alone; Playwright and Vite run what is made for them, and take long to load. */
const OF_ANY_HOST = ALL.filter(
  (entry) => !['portico/server/next', 'portico/testing/playwright', 'portico/vite'].includes(entry),
);

let project: Host;
let host = '';
let installed = '';
const node: Host['node'] = (args) => project.node(args);

const list = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(dir, name)).isFile());

/** What people read; the project file is the reference of the provider's options. */
const isDocument = (name: string): boolean =>
  /^(?:(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|docs\/[\w-]+\.(?:md|png|webp)|provider\/(?:README\.md|openapi\.json|project\.json|deploy\/[\w.-]+)|skills\/portico\/SKILL\.md)$/.test(
    name,
  );

beforeAll(async () => {
  project = await installHost();
  host = project.folder;
  installed = project.installed;
});

afterAll(() => project.remove());

describe('the packed tarball', () => {
  it('holds the licence, the documents and the build, and no source or test', () => {
    const files = list(installed);
    expect(files).toContain('package.json');
    expect(files).toContain('LICENSE');
    expect(files).toContain('provider/openapi.json');
    expect(files.filter((name) => !/^(dist\/|package\.json$|LICENSE$)/.test(name) && !isDocument(name))).toEqual([]);
    expect(files.filter((name) => /\.test\.|\.spec\.|\.stamp$/.test(name))).toEqual([]);
    const foreign = files.filter((name) => name.startsWith('dist/types/tests/'));
    expect(foreign.filter((name) => !name.startsWith('dist/types/tests/contract/'))).toEqual([]);
  });

  it('has every file that its exports name', () => {
    const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { exports: object };
    const paths = Object.values(exports).flatMap((one: string | Record<string, string>) =>
      typeof one === 'string' ? [one] : Object.values(one),
    );
    expect(paths.length).toBeGreaterThan(ALL.length);
    expect(paths.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  it('has no source map, and names none', () => {
    const files = list(installed);
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    const naming = files.filter(
      (name) => name.endsWith('.js') && readFileSync(join(installed, name), 'utf8').includes('sourceMappingURL='),
    );
    expect(naming).toEqual([]);
  });

  it('takes names from a whole import() alone, because Vite 5 and 6 drop what follows the call', () => {
    const scripts = list(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    const misread = /(?:\b(?:const|let|var)\s+|,\s*)\{[^{}.=]+\}\s*=\s*await\s+import\([^)]+\)\s*[.[].{0,20}/g;
    const found = scripts.flatMap((name) => readFileSync(join(installed, 'dist', name), 'utf8').match(misread) ?? []);
    expect(scripts.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it('calls nothing that is said to be pure, because SWC before 1.16, as in Rspack 1 and Next, drops both calls', () => {
    const scripts = list(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    const found = scripts.filter((name) => {
      const source = readFileSync(join(installed, 'dist', name), 'utf8');
      const called: number[] = [];
      new Visitor({
        CallExpression({ callee }) {
          const inner = callee.type === 'ParenthesizedExpression' ? callee.expression : callee;
          if (inner.type === 'CallExpression') called.push(inner.start);
        },
      }).visit(parseSync(name, source).program);
      return called.some((at) => /\/\* ?[@#]__PURE__ ?\*\/\s*$/.test(source.slice(Math.max(0, at - 20), at)));
    });
    expect(found).toEqual([]);
  });

  it('loads in a page that has added an enumerable property to every object', async () => {
    const chunks = readdirSync(join(installed, 'dist/chunks')).filter((name) => name.startsWith('standalone-'));
    const script = `Object.prototype.added = 'by a script of the page';
    for (const name of ${JSON.stringify(chunks)}) {
      await import('./node_modules/portico/dist/chunks/' + name).catch((error) => console.log(name, String(error)));
    }`;
    expect(chunks.length).toBeGreaterThan(20);
    expect((await node(['--input-type=module', '-e', script])).stdout).toBe('');
  });

  it('names no path of the machine it was built on', () => {
    const naming = list(installed).filter((name) => readFileSync(join(installed, name), 'utf8').includes(ROOT));
    expect(naming).toEqual([]);
  });

  it('is ASCII where a page of any charset may load it', () => {
    for (const name of ['standalone.js', 'script/portico.js', 'early.js']) {
      expect(/[^\0-\u007f]/.test(readFileSync(join(installed, 'dist', name), 'latin1')), name).toBe(false);
    }
  });

  it('can be imported by plain Node, without a window, at each of its entries, and gives the two clients under their names', async () => {
    const entries = SOAK ? ALL : OF_ANY_HOST;
    const script = `for (const name of ${JSON.stringify(entries)}) {
      await import(name).then(() => console.log(name), (error) => console.log(name, String(error)));
    }
    const { PorticoUIClient } = await import('portico');
    const { PorticoUIClient: Standalone } = await import('portico/standalone');
    const { PorticoClient } = await import('portico/headless');
    console.log([PorticoUIClient, Standalone, PorticoClient].map((one) => typeof one).join());`;
    const { stdout } = await node(['--input-type=module', '-e', script]);
    expect(stdout.trim().split('\n')).toEqual([...entries, 'function,function,function']);
  });

  it('leaves React out of the headless entry', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, 'utf8');
      expect(source, file).not.toMatch(/from\s*["']react/);
      for (const [, next] of source.matchAll(/from\s*["'](\.[^"']+)["']/g)) visit(join(dirname(file), next ?? ''));
    };
    visit(join(installed, 'dist/headless.js'));
    visit(join(installed, 'dist/compat/headless.js'));
  });

  it('gives servers one file at the start of each entry, with no package but its own, and verifies requests', async () => {
    for (const entry of entriesThatRun('server')) {
      const { packages = [] } = entryOf(entry);
      const source = readFileSync(join(installed, `dist/${entry}.js`), 'utf8');
      const imports = [...source.matchAll(/(?:from|^import|import\()\s*["']([^"']+)["']/gm)].map(([, name]) => name);
      // The check of proofs loads with the first, and has no import.
      expect(
        imports.filter((name) => name?.startsWith('./chunks/page-proofs-') !== true),
        entry,
      ).toEqual(packages);
      expect(/\b(?:window|document|localStorage|process|Buffer)\./.exec(source)?.[0] ?? null, entry).toBeNull();
    }
    const script = [
      "import { createVerifier } from 'portico/server';",
      "const verifier = createVerifier({ projectId: 'project-test-x', apiUrl: 'https://api.example.com' });",
      "console.log(JSON.stringify(await verifier.authenticateRequest(new Request('https://app.example.com/'))));",
    ].join('\n');
    const { stdout } = await node(['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual({ status: 'signed-out', reason: 'no-credentials' });
  });

  it('has the inspector in a separate file, which no other file loads', () => {
    const scripts = list(join(installed, 'dist')).filter((name) => name.endsWith('.js'));
    const having = scripts.filter((name) =>
      readFileSync(join(installed, 'dist', name), 'utf8').includes('portico-trace'),
    );
    expect(having).toEqual(['inspector.js']);
    expect(readFileSync(join(installed, 'dist/inspector.js'), 'utf8')).not.toMatch(/^import\b|^export .* from /mu);
  });

  it('leaves the types of React out of the entry for apps of the vanilla package', () => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, 'utf8');
      expect(source, file).not.toMatch(/["']react|\bJSX\./);
      for (const [, next = ''] of source.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g)) {
        visit(join(dirname(file), next.replace(/\.tsx?$/, '.d.ts')));
      }
    };
    visit(join(installed, 'dist/types/src/composition/compat/vanilla.d.ts'));
    expect(seen.size).toBeGreaterThan(20);
  });

  it('puts one global on the page of a script tag', async () => {
    const script = [
      "import { readFileSync } from 'node:fs'; import { createContext, runInContext } from 'node:vm';",
      'const page = createContext({ console, URL, URLSearchParams, TextEncoder, TextDecoder, setTimeout, clearTimeout });',
      "runInContext(readFileSync('node_modules/portico/dist/script/portico.js', 'utf8'), page);",
      "console.log(runInContext('typeof Portico.PorticoUIClient', page));",
    ].join('\n');
    expect((await node(['--input-type=module', '-e', script])).stdout.trim()).toBe('function');
  });

  // Other tests of the package bundle what pages use.
  soakIt('can be bundled by an empty Vite project that imports every entry', async () => {
    const imports = OF_ANY_HOST.map((entry, at) => `import * as e${at} from '${entry}';`).join('\n');
    const uses = `globalThis.all = [${OF_ANY_HOST.map((_entry, at) => `e${at}`).join()}];`;
    await writeFile(join(host, 'main.js'), `${imports}\n${uses}\n`);
    await writeFile(join(host, 'index.html'), '<!doctype html><script type="module" src="./main.js"></script>');
    await project.vite();
    expect(existsSync(join(host, 'dist/index.html'))).toBe(true);
  });

  it.each(
    oneOf(2, [
      ['nodenext', 'nodenext'],
      ['bundler', 'esnext'],
    ] as const),
  )('has types that a consumer compiles against with moduleResolution %s', async (moduleResolution, module) => {
    const entries = SOAK ? ALL : OF_ANY_HOST;
    const imports = entries.map((entry, at) => `import * as e${at} from '${entry}';`).join('\n');
    const source = [
      imports,
      `export const all = [${entries.map((_entry, at) => `e${at}`).join()}];`,
      "import { PorticoUIClient } from 'portico';",
      "import { PorticoClient } from 'portico/headless';",
      "export const client: PorticoClient = new PorticoUIClient('public-token-test-x');",
      '// @ts-expect-error a client needs its public token, so the types are real and not any',
      'export const none = new PorticoClient();',
    ].join('\n');
    await writeFile(join(host, 'consumer.ts'), source);
    const lib = ['ES2022', 'DOM', 'DOM.Iterable'];
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const compilerOptions = { ...strict, noEmit: true, target: 'ES2022', lib, types: [] };
    const config = { compilerOptions: { ...compilerOptions, module, moduleResolution }, files: ['consumer.ts'] };
    await writeFile(join(host, 'tsconfig.json'), JSON.stringify(config));
    const outcome = await node([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json']).catch(
      (error: { stdout: string }) => error,
    );
    // Without `skipLibCheck` the types of the peers count too, whose errors are not ours.
    const own = outcome.stdout.split('\n').filter((line) => /^(?:consumer\.ts|node_modules\/portico\/)/.test(line));
    expect(own).toEqual([]);
  });
});
