import { describe, expect, it } from 'vitest';
import { FRAMEWORK_NAMES, frameworkOf } from '#composition/tools/init/frameworks.ts';
import { freshApp, manifestWith } from './fresh-app.ts';

/** What `init` finds for an app with these packages, by the first line or the error. */
async function foundFor(packages: readonly string[], args: readonly string[] = []): Promise<string> {
  const entries = [
    'src/main.tsx',
    'src/main.ts',
    'src/index.tsx',
    'src/index.ts',
    'src/app.module.ts',
    'app/layout.tsx',
  ];
  const files = Object.fromEntries(entries.map((path) => [path, '']));
  const app = freshApp({ ...files, 'package.json': manifestWith(packages) });
  return app.init([...args, '--dry-run']).then(
    ({ said }) => said.split(',')[0] ?? '',
    (error: Error) => error.message,
  );
}

describe('init finds the framework', () => {
  it.each([
    [['vite', 'react', 'react-dom'], 'Vite with React'],
    [['vite', 'vue'], 'Vite with Vue'],
    [['vite', 'svelte'], 'Vite with Svelte'],
    [['vite', 'solid-js'], 'Vite with Solid'],
    [['next', 'react', 'react-dom'], 'Next'],
    [['vite', 'react', 'react-router'], 'React Router'],
    [['express'], 'Express'],
    [['fastify'], 'Fastify'],
    [['@nestjs/core', '@nestjs/platform-express', 'express'], 'Nest'],
    [['hono', '@hono/node-server'], 'Hono'],
  ])('of %j', async (packages, title) => {
    expect(await foundFor(packages)).toBe(title);
  });

  it.each([
    [['nuxt', 'vue', 'vite'], 'Nuxt', 'docs/with-nuxt.md'],
    [['@sveltejs/kit', 'svelte', 'vite'], 'SvelteKit', 'docs/with-sveltekit.md'],
    [['astro', 'react', 'vite'], 'Astro', 'docs/with-astro.md'],
    [['@tanstack/react-start', 'react', 'vite'], 'TanStack Start', 'docs/with-tanstack-start.md'],
    [['@angular/core'], 'Angular', 'docs/with-angular.md'],
  ])('of %j, for which it names the guide alone', async (packages, title, guide) => {
    expect(await foundFor(packages)).toBe(
      `init writes no files for ${title} yet. The guide shows them: node_modules/portico/${guide}`,
    );
  });

  it('and names what it looked for where there is none', async () => {
    const message = await foundFor(['vite', 'preact']);
    expect(message).toMatch(
      /^package\.json depends on no framework that init knows\. It looks for\n {2}react: vite with react\n/u,
    );
    for (const name of FRAMEWORK_NAMES) expect(message).toContain(`  ${name}: ${frameworkOf(name).packages[0]?.[0]}`);
  });

  it('and asks for one of several', async () => {
    expect(await foundFor(['express', 'vite', 'react'])).toBe(
      'package.json depends on several frameworks: react, express. Choose one with --framework, such as --framework react.',
    );
    expect(await foundFor(['express', 'vite', 'react'], ['--framework', 'react'])).toBe('Vite with React');
  });

  it('and refuses Hono on other runtimes', async () => {
    expect(await foundFor(['hono', 'wrangler'])).toBe(
      'init writes no files for Hono without @hono/node-server yet. The guide is node_modules/portico/docs/with-hono-at-the-edge.md',
    );
  });

  it('and refuses React Router in framework mode', async () => {
    expect(await foundFor(['vite', 'react', 'react-router', '@react-router/dev'])).toBe(
      'init writes no files for React Router with @react-router/dev yet. The guide is node_modules/portico/docs/with-react-router.md',
    );
  });
});

describe('init refuses', () => {
  it('an app in JavaScript where it writes TypeScript alone', async () => {
    const app = freshApp({ 'package.json': manifestWith(['next', 'react']), 'app/layout.jsx': '' });
    await expect(app.init([])).rejects.toThrow(
      'For Next, init needs app/layout.tsx or src/app/layout.tsx. This app has app/layout.jsx or src/app/layout.jsx, and init writes TypeScript. The guide is node_modules/portico/docs/with-next.md',
    );
    expect(app.has('.env')).toBe(false);
  });

  it('an app of another kind', async () => {
    const app = freshApp({ 'package.json': manifestWith(['next', 'react']), 'pages/index.tsx': '' });
    await expect(app.init([])).rejects.toThrow(
      /^For Next, init needs app\/layout\.tsx or src\/app\/layout\.tsx\. This app is of another kind\./u,
    );
  });

  it('a folder without an app, and a package.json that is not JSON', async () => {
    await expect(freshApp({}).init([])).rejects.toThrow(
      /^There is no package\.json in .* Run the command in the folder of your app\.$/u,
    );
    await expect(freshApp({ 'package.json': '{' }).init([])).rejects.toThrow('package.json is not valid JSON.');
  });
});
