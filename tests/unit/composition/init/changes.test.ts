import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAMEWORK_NAMES, frameworkOf } from '#composition/tools/init/frameworks.ts';
import { guideFiles } from '#composition/tools/init/guide-files.ts';
import { LOCAL } from '#composition/tools/init/init-options.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { allExamples } from '../../docs/examples.ts';
import { fileNameOf, starterFiles } from '../../docs/guide-files.ts';
import { freshApp, manifestWith } from './fresh-app.ts';

const ENV = `VITE_PORTICO_API_URL=${LOCAL.apiUrl}\nVITE_PORTICO_PUBLIC_TOKEN=${LOCAL.publicToken}\n`;
const vueApp = () => freshApp({ ...starterFiles('vite-vue'), 'package.json': manifestWith(['vite', 'vue']) });
const expressApp = (files: Readonly<Record<string, string>>, fields: object = {}) =>
  freshApp({ 'package.json': manifestWith(['express'], fields), ...files });
const shown = (...pages: readonly string[]) =>
  guideFiles(pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n'));

describe('the files of init', () => {
  const recipes = FRAMEWORK_NAMES.map(frameworkOf).filter(({ recipe }) => recipe !== undefined);

  it.each(recipes.map((framework) => [framework.title, framework] as const))(
    'for %s are those of the guide, and read each variable',
    (_title, { guide, recipe }) => {
      const files = shown(...(recipe?.pages === undefined ? [] : [recipe.pages]), guide);
      const texts = Object.keys(recipe?.files ?? {}).map((name) => files.get(name) ?? '');
      expect(texts.filter((text) => text === '')).toEqual([]);
      const { apiUrl, publicToken, projectId = '' } = recipe?.variables ?? { apiUrl: 'none', publicToken: 'none' };
      for (const name of [apiUrl, publicToken, projectId]) expect(texts.join('\n')).toContain(name);
    },
  );

  it('are read from the pages as the tests of the guides read them', () => {
    for (const { guide } of recipes) {
      const blocks = allExamples().filter(({ page, from, path }) => page === guide && (from ?? path) !== null);
      expect([...shown(guide)]).toEqual(blocks.map((block) => [fileNameOf(block), block.source]));
    }
  });

  it('for Next include the scripts that the guide shows', () => {
    const json = allExamples().find(({ page, language }) => page === 'docs/with-next.md' && language === 'json');
    expect(frameworkOf('next').recipe?.scripts).toEqual(JSON.parse(json?.source ?? '{}'));
  });
});

describe('without a terminal', () => {
  it('init writes the missing files, keeps the others, and says so', async () => {
    const app = vueApp();
    const before = app.read('src/App.vue');
    const { status, said, questions } = await app.init([]);
    expect([status, questions]).toEqual([2, []]);
    expect(app.read('.env')).toBe(ENV);
    expect(app.read('src/portico.ts')).toBe(shown('docs/with-vue.md').get('src/portico.ts'));
    expect(app.read('src/App.vue')).toBe(before);
    expect(said).toMatch(/^ {2}kept {6}src\/App\.vue {10}the guard, the protected page and the sign-out$/mu);
    expect(said).toContain('There is no terminal for questions, so existing files were kept.');
    expect(said).toContain(
      'Kept: src/App.vue. node_modules/portico/docs/with-vue.md shows what the login needs there.',
    );
    expect(said).toMatch(/\nNext:\n {2}1\. Start the page: npm run dev\n/u);
  });

  it('init changes the files that --replace names, and nothing when it runs again', async () => {
    const app = vueApp();
    app.write('pnpm-lock.yaml', '');
    expect(await app.init(['--replace', './src/App.vue'])).toMatchObject({ status: 0 });
    expect(app.read('src/App.vue')).toBe(shown('docs/with-vue.md').get('src/App.vue'));
    const { status, said } = await app.init([]);
    expect(status).toBe(0);
    expect(said.match(/^ {2}as it is/gmu)).toHaveLength(4);
    expect(said).not.toMatch(/^ {2}(?:written|changed|kept)/mu);
    expect(said).toContain('1. Start the page: pnpm run dev');
  });

  it('init refuses a --replace of a file that it does not change, before it writes anything', async () => {
    const app = vueApp();
    await expect(app.init(['--replace', 'src/main.ts'])).rejects.toThrow(
      '--replace: init does not change src/main.ts. It changes .env, src/portico.ts, src/LoginWidget.vue, src/App.vue.',
    );
    expect(app.has('.env')).toBe(false);
  });
});

describe('with a terminal', () => {
  it('init asks for each existing file, and does what is answered', async () => {
    const app = vueApp();
    app.write('.env', 'OTHER=1');
    const { status, questions } = await app.init([], { 'src/App.vue exists. Replace it': true });
    expect(questions.map((question) => question.split('\n')[0])).toEqual([
      '.env exists. Add to it?',
      'src/App.vue exists. Replace it? (the guard, the protected page and the sign-out)',
    ]);
    expect(status).toBe(2);
    expect(app.read('.env')).toBe('OTHER=1');
    expect(app.read('src/App.vue')).toContain('LoginWidget');
    expect(await app.init([], { '.env': true })).toMatchObject({ status: 0 });
    expect(app.read('.env')).toBe(`OTHER=1\n${ENV}`);
  });

  it('init asks nothing with --yes, and keeps what exists', async () => {
    const app = vueApp();
    const { status, questions, said } = await app.init(['--yes'], { src: true });
    expect([status, questions]).toEqual([2, []]);
    expect(app.read('src/App.vue')).not.toContain('LoginWidget');
    expect(said).not.toContain('There is no terminal');
  });

  it('init asks and writes nothing with --dry-run', async () => {
    const app = vueApp();
    const { status, questions, said } = await app.init(['--dry-run'], { src: true });
    expect([status, questions]).toEqual([0, []]);
    expect(said).toMatch(/^Vite with Vue, as in .*\. Nothing is written\.\n {2}written {3}\.env /u);
    expect(said).toMatch(/^ {2}asks {6}src\/App\.vue/mu);
    expect(app.has('.env')).toBe(false);
  });
});

describe('.env', () => {
  it('keeps the variables that it has, and gets those of the project that it lacks', async () => {
    const app = vueApp();
    app.write('.env', 'export VITE_PORTICO_API_URL=https://own.example.com\n');
    await app.init(['--api-url', 'https://auth.example.com', '--replace', '.env']);
    expect(app.read('.env')).toBe(
      `export VITE_PORTICO_API_URL=https://own.example.com\nVITE_PORTICO_PUBLIC_TOKEN=${LOCAL.publicToken}\n`,
    );
  });

  it('is named where git would take it along', async () => {
    const warning = '.gitignore does not list .env.';
    const app = vueApp();
    expect((await app.init(['--dry-run'])).said).toContain(warning);
    app.write('.gitignore', 'node_modules\n.env*\n');
    expect((await app.init(['--dry-run'])).said).not.toContain(warning);
  });
});

describe('an app of Next', () => {
  const nextApp = (folder: string, config = 'export default { cacheComponents: true };') =>
    freshApp({
      'package.json': manifestWith(['next', 'react'], { scripts: { dev: 'next dev', predev: 'echo' } }),
      [`${folder}app/layout.tsx`]: '',
      'next.config.ts': config,
    });

  it('has the files in src/ where its own are, and scripts beside its own', async () => {
    const app = nextApp('src/');
    const { status, said } = await app.init(['--replace', 'src/app/layout.tsx', '--replace', 'package.json']);
    expect(status).toBe(2);
    expect(said).toContain('\npackage.json has its own script predev. Let it run, too: npm run portico\n');
    expect(['src/proxy.ts', 'src/lib/auth.ts', 'login-look.mjs'].filter((name) => !app.has(name))).toEqual([]);
    const { scripts } = JSON.parse(app.read('package.json')) as { scripts: object };
    expect(Object.keys(scripts)).toEqual(['dev', 'predev', 'portico', 'prebuild']);
    expect(scripts).toMatchObject({ predev: 'echo' });
  });

  it('is told of the setting that the pages need', async () => {
    const { status, said } = await nextApp('', '').init(['--replace', 'app/layout.tsx', '--replace', 'package.json']);
    expect(status).toBe(2);
    expect(said).toContain('next.config.ts does not set cacheComponents, which the pages need: see the guide.');
  });
});

describe('an Express server', () => {
  it.each([
    [
      'app.js',
      {},
      'const app = express()\napp.listen()\n',
      "const app = express()\napp.use(require('./portico.mjs').portico)\napp.listen()\n",
    ],
    [
      'src/server.js',
      { type: 'module', main: './src/server.js' },
      '#!/usr/bin/env node\nconst api = express();\napi.listen();\n',
      "#!/usr/bin/env node\nimport { portico } from '../portico.mjs';\nconst api = express();\napi.use(portico);\napi.listen();\n",
    ],
    [
      'index.mjs',
      {},
      'let app = express();',
      "import { portico } from './portico.mjs';\nlet app = express();\napp.use(portico);",
    ],
  ])('%s with %j mounts the router after an answer', async (name, fields, before, after) => {
    const app = expressApp({ [name]: before }, fields);
    expect(await app.init([])).toMatchObject({ status: 2 });
    expect(app.read(name)).toBe(before);
    const { status, said } = await app.init([], { [name]: true });
    expect(status).toBe(0);
    expect(app.read(name)).toBe(after);
    expect(said).toContain(`node --env-file=.env ${name}`);
    expect(await app.init([])).toMatchObject({ status: 0 });
    expect(app.read(name)).toBe(after);
  });

  it('that init does not find gets the lines to add', async () => {
    const { status, said } = await expressApp({ 'app.js': 'module.exports = make(express);\n' }).init([]);
    expect(status).toBe(2);
    expect(said).toContain("     import { portico } from './portico.mjs';\n     app.use(portico);");
  });
});

it('a server of Hono mounts the router after an answer', async () => {
  const app = freshApp({ ...starterFiles('hono'), 'package.json': manifestWith(['hono', '@hono/node-server']) });
  const { status, said } = await app.init(['--replace', 'src/index.ts']);
  expect(status).toBe(0);
  expect(app.read('src/index.ts')).toMatch(
    /^import \{ portico \} from '\.\/portico\.js'\n[\s\S]*\nconst app = new Hono\(\)\napp\.route\('\/', portico\)\n\n/u,
  );
  expect(app.has('portico/login.html')).toBe(true);
  expect(said).toContain('node --env-file=.env dist/index.js');
});

it('an app without the package is told so', async () => {
  const app = freshApp({ ...starterFiles('vite-vue') });
  const { status, said } = await app.init(['--replace', 'src/App.vue']);
  expect(status).toBe(2);
  expect(said).toContain('package.json does not depend on portico');
});
