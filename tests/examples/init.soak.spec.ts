import { frameworkOf } from '#composition/tools/init/frameworks.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { COMMAND, startFresh } from './kit/example.ts';
import { describeFreshPage, VITE_APP } from './kit/fresh-page.ts';
import { describeFreshReact } from './kit/fresh-react.ts';
import { describeFreshServer } from './kit/fresh-server.ts';
import { signInByCode } from './kit/sign-in.ts';

const NEXT = 'next/dist/bin/next';

test.beforeEach(({ trap }) => {
  // The stored starters have no pictures.
  trap.allow(/status of 40[04] .*\/(?:favicon\.(?:ico|svg)|_next\/image\?|(?:next|vercel)\.svg)/u);
});

describeFreshReact('vite-react-js', { replaced: ['src/main.jsx', 'src/App.jsx', 'vite.config.js'] });
describeFreshPage('vite-vue', { replaced: ['src/App.vue'] });
describeFreshPage('vite-vue-js', { replaced: ['src/App.vue'] });
describeFreshPage('vite-svelte', { replaced: ['src/App.svelte'] });
describeFreshPage('vite-svelte-js', { replaced: ['src/App.svelte'] });

describeFreshServer('hono', {
  replaced: ['src/index.ts'],
  builds: [['typescript/bin/tsc']],
  command: ['--env-file=.env', 'dist/index.js'],
  hello: 'Hello Hono!',
});

for (const [starter, replaced] of [
  ['vite-react', 'src/main.tsx'],
  ['vite-react-js', 'src/main.jsx'],
] as const) {
  test(`the starter ${starter} with React Router has a login after \`portico init\``, async ({ page, inbox }) => {
    const app = await startFresh(starter, { ...VITE_APP, packages: ['react-router'], replaced: [replaced] });
    try {
      const address = newAddress();
      await page.goto(`${app.url}/reports`);
      await expect(page).toHaveURL(`${app.url}/login`);
      await signInByCode(page, inbox, address);
      await expect(page).toHaveURL(`${app.url}/reports`);
      await page.getByRole('link', { name: 'Home' }).click();
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.getByRole('button', { name: /account/i }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(`${app.url}/login`);
    } finally {
      await page.goto('about:blank');
      await app.stop();
    }
  });
}

test('the starter of Next has a login after `portico init`', async ({ page, context, inbox }) => {
  const [, ...prerender] = frameworkOf('next').recipe?.scripts?.['portico']?.split(' ') ?? [];
  const app = await startFresh('next-without-tailwind', {
    replaced: ['app/layout.tsx', 'package.json'],
    builds: [
      [COMMAND, ...prerender],
      [NEXT, 'build'],
    ],
    serve: (port) => ({ command: [NEXT, 'start', '--port', String(port)] }),
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  });
  try {
    const address = newAddress();
    await page.goto(`${app.url}/account`);
    await expect(page).toHaveURL(`${app.url}/login?return_to=%2Faccount`);
    await signInByCode(page, inbox, address);
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
    await expect(page).toHaveURL(`${app.url}/account`);
    const cookies = await context.cookies(app.url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${app.url}/`);
    await expect(page.getByRole('contentinfo')).toBeHidden();
    // Those of before the sign-out, with a JWT that has not expired. A page that must know at once is fresh: app/login/page.tsx.
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const login = await fetch(`${app.url}/login`, { redirect: 'manual', headers: { cookie } });
    expect(await login.text()).toContain('type="email"');
  } finally {
    await page.goto('about:blank');
    await app.stop();
  }
});
