import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Prerender from '#composition/prerender.tsx';
import { renderLogin, renderPasswordReset } from '#composition/prerender.tsx';
import { installHost, type Host } from './host.ts';
import { oneOf, SOAK } from '../soak.ts';
import { soakIt } from '../soak-tests.ts';

const LOGIN = {
  config: { products: ['otp'], otpOptions: { methods: ['email'] } },
  styles: { preset: 'soft', colors: { primary: '#123456' } },
  locale: 'de',
} as const;
const PAGE =
  '<!doctype html><html lang="de"><head><title>Host</title></head><body><div id="login"><!--portico-login--></div></body></html>';
/** The page's first frame waits for the end of the form. */
const EXPECT = '<link rel="expect" href="#portico-login-end" blocking="render">';
/** The early script in front of the page's own scripts. */
const preloadOf = (early: string): string => `<link rel="preload" as="script" href="${early}">`;
const END = '<template id="portico-login-end" data-portico-helper=""></template><!--/portico-login-->';

let host: Host;
beforeAll(async () => {
  host = await installHost();
});
afterAll(() => host.remove());

/** The form with its two files inside, and what a policy must allow. The package has minified texts. */
async function whole(): Promise<{ readonly markup: string; readonly allowed: string }> {
  const entry = pathToFileURL(join(host.installed, 'dist/prerender.js')).href;
  const prerender = (await import(/* @vite-ignore */ entry)) as typeof Prerender;
  const { script, style } = await prerender.inlineHashes({ styles: LOGIN.styles });
  const markup = await prerender.renderLogin({ ...LOGIN, inline: true });
  return { markup, allowed: `script-src ${script} and in style-src ${style}` };
}

const at = (path: string): string => join(host.folder, path);
const read = (path: string): string => readFileSync(at(path), 'utf8');

describe('npx portico prerender', () => {
  const command = async (...args: readonly string[]) => {
    const { bin } = JSON.parse(read('node_modules/portico/package.json')) as {
      readonly bin: { readonly portico: string };
    };
    return host.node([at(join('node_modules/portico', bin.portico)), ...args]);
  };
  const refusal = async (...args: readonly string[]) =>
    command(...args).then(
      () => null,
      (error: { readonly stderr: string }) => error.stderr,
    );
  beforeAll(() => {
    writeFileSync(at('login.mjs'), `export default ${JSON.stringify(LOGIN)};`);
  });

  it('writes the form with its two files inside into an HTML file, and prints what a policy must allow', async () => {
    writeFileSync(at('index.html'), PAGE);
    writeFileSync(at('inline.mjs'), `export default ${JSON.stringify({ ...LOGIN, inline: true })};`);
    const { stdout } = await command('prerender', 'index.html', '--options', 'inline.mjs');
    const { markup, allowed } = await whole();
    const written = `<!--portico-login-->${markup}${END}`;
    expect(read('index.html')).toBe(PAGE.replace('<head>', `<head>${EXPECT}`).replace('<!--portico-login-->', written));
    expect(stdout.split('\n')[0]).toBe('portico: wrote index.html');
    expect(stdout).toContain(allowed);
  });

  it('links to the two files that it writes into a folder, and replaces the form of an earlier run', async () => {
    writeFileSync(at('index.html'), PAGE);
    const linked = ['prerender', 'index.html', '--options', 'login.mjs', '--files', 'public/portico'];
    const written = `<!--portico-login-->${await renderLogin(LOGIN)}${END}`;
    const links = EXPECT + preloadOf('/portico/early.js');
    for (const args of [...(SOAK ? [linked] : []), ['prerender', 'index.html'], linked]) await command(...args);
    expect(read('index.html')).toBe(PAGE.replace('<head>', `<head>${links}`).replace('<!--portico-login-->', written));
    expect(read('public/portico/login.css')).toContain('#123456');
    expect(read('public/portico/early.js')).toBe(read('node_modules/portico/dist/early.js'));
  });

  soakIt('writes another widget at a comment of its own, and its style sheet', async () => {
    writeFileSync(at('reset.html'), PAGE.replace('portico-login', 'portico-reset'));
    await command('prerender', 'reset.html', '--widget', 'reset', '--files', 'public/reset');
    expect(read('reset.html')).toContain(
      `<!--portico-reset-->${await renderPasswordReset()}<template id="portico-reset-end"`,
    );
    expect(readdirSync(at('public/reset')).sort()).toEqual(['early.js', 'reset.css']);
    expect(read('public/reset/reset.css')).toContain('[data-part=reveal]');
  });

  it.each(
    oneOf(9, [
      [['render'], /^There is no command render\.\n\nnpx portico init /u],
      [['prerender'], /^Name an HTML file, or a folder with --files\./u],
      [['prerender', 'nowhere.html'], /^HTML: there is no file .*nowhere\.html\.\n$/u],
      [['prerender', 'index.html', '--options', 'nowhere.mjs'], /^--options: there is no file .*nowhere\.mjs\.\n$/u],
      [['prerender', 'package.json'], /^package\.json has no <!--portico-login-->/u],
      [['prerender', 'index.html', '--option', 'x'], /^There is no --option\. Did you mean --options\?\n$/u],
      [
        ['prerender', 'index.html', '--widget', 'resett'],
        /^--widget: use one of login, reset, passkeys, consent, account, not resett/u,
      ],
      [['prerender', 'index.html', '--options', 'named.mjs'], /the default export of named\.mjs must be an object/u],
      [['prerender', 'index.html', '--options', 'wrong.mjs'], /locale must be a string/u],
    ] as const),
  )('rejects %o, says why, and changes no file', async (args, words) => {
    writeFileSync(at('index.html'), PAGE);
    writeFileSync(at('named.mjs'), 'export const login = {};');
    writeFileSync(at('wrong.mjs'), 'export default { locale: 7 };');
    expect(await refusal(...args)).toMatch(words);
    expect(read('index.html')).toBe(PAGE);
  });
});

describe('the plugin for Vite', () => {
  const config = (base: string, options: object = LOGIN): string =>
    `import { portico } from 'portico/vite';
     export default { base: '${base}', plugins: [portico(${JSON.stringify(options)})], build: { rolldownOptions: { input: ['index.html', 'in/login.html', 'other.html'] } } };`;
  beforeAll(() => {
    mkdirSync(at('in'), { recursive: true });
    for (const page of ['index.html', 'in/login.html']) writeFileSync(at(page), PAGE);
    writeFileSync(at('other.html'), '<!doctype html><head><title>Other</title></head>');
  });

  soakIt('writes the form with its two files inside, and logs what a policy must allow', async () => {
    writeFileSync(at('vite.config.mjs'), config('/', { ...LOGIN, inline: true }));
    const { stdout } = await host.vite('--outDir', 'whole', '--logLevel', 'info');
    const { markup, allowed } = await whole();
    expect(read('whole/index.html')).toContain(`<!--portico-login-->${markup}${END}`);
    expect(read('whole/index.html')).not.toMatch(/rel="(?:stylesheet|preload)"/u);
    expect(stdout).toContain(allowed);
  });

  it.each(
    oneOf(3, [
      ['./', './', '../'],
      ['/', '/', '/'],
      ['/app/', '/app/', '/app/'],
    ]),
  )(
    'links from the pages of a build with the base %s to the two files that it emits, which browsers load before other scripts',
    async (base, root, inner) => {
      writeFileSync(at('vite.config.mjs'), config(base));
      await host.vite('--outDir', 'out');
      const assets = readdirSync(at('out/assets'));
      const sheet = `assets/${assets.find((name) => /^login-[\w-]+\.css$/u.test(name))}`;
      const early = `assets/${assets.find((name) => /^early-[\w-]+\.js$/u.test(name))}`;
      expect(read(join('out', sheet))).toContain('#123456');
      expect(read(join('out', early))).toBe(read('node_modules/portico/dist/early.js'));
      for (const [page, prefix] of [
        ['index.html', root],
        ['in/login.html', inner],
      ] as const) {
        const markup = await renderLogin({ ...LOGIN, stylesheet: prefix + sheet, early: prefix + early });
        expect(read(join('out', page))).toContain(`<!--portico-login-->${markup}${END}`);
        expect(read(join('out', page))).toMatch(
          new RegExp(`<head>.*${EXPECT}${preloadOf(prefix + early)}(?=.*</head>)`, 'su'),
        );
      }
      expect(read('out/other.html')).not.toMatch(/portico|expect/u);
    },
  );

  it('serves the form and its two files in development', async () => {
    writeFileSync(at('vite.config.mjs'), config('/app/'));
    const server = await createServer({ root: host.folder, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
    try {
      await server.listen();
      const url = (path: string): string => new URL(path, server.resolvedUrls?.local[0]).href;
      const page = await (await fetch(url('/app/index.html'))).text();
      expect(page).toContain('<link rel="stylesheet" href="/app/portico/login.css"');
      expect(page).toContain('Registrieren oder anmelden');
      const sheet = await fetch(url('/app/portico/login.css'));
      expect([sheet.headers.get('content-type'), await sheet.text()]).toEqual([
        'text/css',
        expect.stringContaining('#123456'),
      ]);
      const early = await fetch(url('/app/portico/early.js'));
      expect(await early.text()).toBe(read('node_modules/portico/dist/early.js'));
    } finally {
      await server.close();
    }
  });
});
