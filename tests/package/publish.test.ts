import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { ENTRY_NAMES, entryOf } from '#scripts/lib/entries.ts';
import { billOfMaterials } from '#scripts/lib/materials.ts';
import { outsideEnv, packPackage } from '#scripts/lib/pack.ts';
import { oneOf } from '../soak.ts';
import { soakDescribe, soakIt } from '../soak-tests.ts';
import { installHost, type Host } from './host.ts';

const npm = async (...args: readonly string[]) => promisify(execFile)('npm', args, { cwd: ROOT, env: outsideEnv });

let host: Host;
beforeAll(async () => {
  host = await installHost();
});
afterAll(() => host.remove());

describe('the published packages', () => {
  // package.test.ts compiles a consumer in two of these ways.
  soakIt('has types for every way in which TypeScript 7 resolves a package', async () => {
    const data = createPackageFromTarballData(new Uint8Array(readFileSync(host.tarball)));
    // A classic script and a style sheet have no types to import.
    const checked = await checkPackage(data, { excludeEntrypoints: ['./portico.js', './early.js', './login.css'] });
    // TypeScript 6 deprecated `node10`, which reads no `exports`, and TypeScript 7 has it no more.
    const problems =
      checked.types === false
        ? ['no types']
        : checked.problems.filter((one) => !('resolutionKind' in one) || one.resolutionKind !== 'node10');
    // Modules alone: Node requires them from 20.19 on, which is the oldest that `engines` allows.
    expect(problems.filter((one) => typeof one === 'string' || one.kind !== 'CJSResolvesToESM')).toEqual([]);
  });

  it('has a manifest that publint finds nothing to say against', async () => {
    const { messages, pkg } = await publint({ pkgDir: host.installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it('can be required where modules can, from CommonJS', async () => {
    const script = "process.stdout.write(typeof require('portico/headless').PorticoClient)";
    expect((await host.node(['--no-warnings', '--input-type=commonjs', '-e', script])).stdout).toBe('function');
  });

  it.each(ENTRY_NAMES.filter((name) => entryOf(name).isClient === true))(
    'marks the entry %s for the browser, for frameworks that render on a server',
    (entry) => {
      expect(readFileSync(join(host.installed, `dist/${entry}.js`), 'utf8')).toMatch(/^["']use client["'];/);
    },
  );
});

describe.each([
  ['portico', '.'],
  ['portico-provider', 'provider'],
])('npm, without a network,', (name, folder) => {
  it(`would publish ${name} with its provenance, for everybody, and corrects nothing in its manifest`, async () => {
    const packed = await packPackage(folder);
    try {
      const { stdout, stderr } = await npm(
        'publish',
        packed.tarball,
        '--dry-run',
        '--offline',
        '--provenance',
        '--json',
      );
      expect(stdout).toContain(`"id": "${name}@`);
      expect(stderr).toContain('with tag latest and public access (dry-run)');
      expect(stderr).not.toContain('correct');
    } finally {
      packed.remove();
    }
  });
});

describe('the bill of materials of the provider', () => {
  it('names each package that the provider runs with, its version and its hash, and none of the tests', () => {
    const { bomFormat, metadata, components } = JSON.parse(billOfMaterials()) as {
      readonly bomFormat: string;
      readonly metadata: { readonly component: { readonly name: string } };
      readonly components: readonly {
        readonly name: string;
        readonly version: string;
        readonly hashes?: readonly object[];
      }[];
    };
    expect(metadata.component.name).toBe('portico-provider');
    expect(bomFormat).toBe('CycloneDX');
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'provider/package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const versions = Object.fromEntries(components.map(({ name, version }) => [name, version]));
    expect(versions).toMatchObject(dependencies);
    expect(components.filter(({ hashes = [] }) => hashes.length === 0)).toEqual([]);
    for (const name of ['vitest', 'oidc-provider', 'react']) expect(versions).not.toHaveProperty(name);
  });
});

soakDescribe('a bundle of what a page uses', () => {
  const built = async (source: string): Promise<string> => {
    await writeFile(join(host.folder, 'main.js'), source);
    await host.vite('--config', 'vite.config.js');
    return readFileSync(join(host.folder, 'bundle/page.js'), 'utf8');
  };

  beforeAll(async () => {
    const config = `export default { build: { outDir: 'bundle', target: 'es2022', minify: false, modulePreload: false,
      rolldownOptions: { input: 'main.js', output: { entryFileNames: 'page.js' } } } };`;
    await writeFile(join(host.folder, 'vite.config.js'), config);
  });

  it('holds no React and no screen when it uses the headless client alone', async () => {
    const page = await built("import { PorticoClient } from 'portico/headless'; globalThis.client = PorticoClient;");
    expect(page.includes('globalThis.client = PorticoClient')).toBe(true);
    expect(/react-dom|createRoot|useSyncExternalStore|data-portico|adoptedStyleSheets/.exec(page)).toBeNull();
  });

  it('holds next to nothing when it uses an error class alone', async () => {
    const page = await built("import { isAuthError } from 'portico/headless'; globalThis.check = isAuthError;");
    expect(page.includes('portico.error')).toBe(true);
    expect(/createContainer|inversify|libphonenumber/.exec(page)?.[0] ?? null).toBeNull();
  });

  it('holds no widget when it uses a theme or an error class of the compatible entry alone', async () => {
    const page = await built(
      "import { defaultTheme, StytchAPIError } from 'portico/compat'; globalThis.used = [defaultTheme, StytchAPIError];",
    );
    expect(page.includes('StytchAPIError')).toBe(true);
    expect(/createRoot|BehaviorSubject|data-portico|mountLogin/.exec(page)?.[0] ?? null).toBeNull();
  });
});

describe.each(
  oneOf(2, [
    ['19', {}],
    [
      '18',
      {
        react: join(ROOT, 'tests/react-18/node_modules/react'),
        'react-dom': join(ROOT, 'tests/react-18/node_modules/react-dom'),
      },
    ],
  ] as const),
)('a server that renders with React %s', (version, own) => {
  let server: Host;
  beforeAll(async () => {
    server = await installHost(own);
  });
  afterAll(() => server.remove());

  it('renders a page with every component and hook, for an unknown visitor', async () => {
    const script = `
      import { createElement as h, version } from 'react';
      import { renderToString } from 'react-dom/server';
      import * as portico from 'portico/react';
      import 'portico'; import 'portico/standalone'; import 'portico/headless'; import 'portico/adapters';
      const Who = () => {
        const { user, isInitialized } = portico.useUser();
        const { session } = portico.useSession();
        const { isAuthorized } = portico.useIsAuthorized('documents', 'read');
        return h('p', null, JSON.stringify([user, session, isInitialized, isAuthorized, portico.useClient()]));
      };
      const page = h(portico.PorticoProvider, { client: null }, h(Who),
        h(portico.Login, { config: {} }), h(portico.PasswordReset, { config: {}, passwordResetToken: 't' }),
        h(portico.PasskeyRegistration, {}), h(portico.IdentityProvider, {}));
      process.stdout.write(JSON.stringify([version, renderToString(page)]));`;
    const { stdout } = await server.node(['--input-type=module', '-e', script]);
    const [used, html] = JSON.parse(stdout) as [string, string];
    expect(used.split('.')[0]).toBe(version);
    expect(html).toContain('<p>[null,null,false,false,null]</p>');
    expect(html.match(/<div><\/div>/g)).toHaveLength(4);
  });
});
