import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { Backend } from '#composition/playwright/backend.ts';
import type { Page } from '@playwright/test';
import { startExample, startGuide, type Recipe, type RunningExample } from './kit/example.ts';

const PROVIDER = process.env['PORTICO_PROVIDER_URL'] ?? '';
const PROJECT_ID = 'project-test-d1e70000-0000-4000-8000-000000000000';
const SECRET = 'secret-test-d1e70000-0000-4000-8000-000000000000';
const PUBLIC_TOKEN = 'public-token-test-d1e70000-0000-4000-8000-000000000000';
const VITE = 'vite/bin/vite.js';
const WORKERD = '@cloudflare/workerd-linux-64/bin/workerd';

/** An app in one page, which Vite builds and serves. */
const vite: Recipe = {
  builds: [[VITE, 'build', '--logLevel', 'warn']],
  serve: (port) => ({ command: [VITE, 'preview', '--port', String(port), '--strictPort'] }),
  env: { VITE_PORTICO_API_URL: PROVIDER },
};

/** A server of the example's own. */
const server: Recipe = {
  serve: (port) => ({ command: ['./server.mjs'], env: { PORT: String(port) } }),
  env: { PORTICO_API_URL: PROVIDER },
};

const worker: Recipe = {
  builds: ['page', 'worker'].map((mode) => [VITE, 'build', '--mode', mode, '--logLevel', 'warn']),
  runtime: WORKERD,
  serve: (port) => ({ command: ['serve', 'workerd.capnp', `--socket-addr=http=127.0.0.1:${port}`] }),
  env: {
    PORTICO_API_URL: PROVIDER,
    PORTICO_PROJECT_ID: PROJECT_ID,
    PORTICO_PUBLIC_TOKEN: PUBLIC_TOKEN,
  },
};

/** The app of the compose file, whose page and server have the same address of the provider here. */
const composed: Recipe = {
  serve: (port) => ({ command: ['./app/server.mjs'], env: { PORT: String(port) } }),
  env: {
    PORTICO_API_URL: PROVIDER,
    PORTICO_PAGE_API_URL: PROVIDER,
    PORTICO_PROJECT_ID: PROJECT_ID,
    PORTICO_PUBLIC_TOKEN: PUBLIC_TOKEN,
  },
};

test.beforeEach(({ trap }) => {
  // The API of an example refuses whoever lacks a role, and the browser logs it.
  trap.allow(/Failed to load resource: the server responded with a status of 40[13]/);
});

/** Ends the example once its page is gone, which may still load a file of it. */
async function end(page: Page, app: RunningExample): Promise<void> {
  await page.goto('about:blank');
  await app.stop();
}

for (const [name, tag] of [
  ['vue', '@soak'],
  ['svelte', '@soak'],
  ['plain', '@react'],
] as const) {
  test(`the example ${name} signs a visitor in and out`, { tag }, async ({ page, inbox }) => {
    const app = await (name === 'plain' ? startExample(name, server) : startGuide(`docs/with-${name}.md`, vite));
    try {
      const address = newAddress();
      const answer = await page.goto(app.url);
      if (name === 'plain') {
        expect(answer?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
      }
      await page.getByRole('textbox', { name: /email/i }).fill(address);
      await page.getByRole('button', { name: /continue/i }).click();
      await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
    } finally {
      await end(page, app);
    }
  });
}

test("the example compose shows whom the app's server identifies", { tag: '@soak' }, async ({ page, inbox }) => {
  const app = await startExample('compose', composed);
  try {
    const address = newAddress();
    await page.goto(app.url);
    await page.getByRole('textbox', { name: /email/i }).fill(address);
    await page.getByRole('button', { name: /continue/i }).click();
    await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
    await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
    await expect(page.getByText('The server of this app identifies you as user-test-')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
  } finally {
    await end(page, app);
  }
});

test(
  'the example react-router leads back to the page that asked for a sign-in, and guards one by role',
  { tag: '@soak' },
  async ({ page, inbox }) => {
    const app = await startGuide('docs/with-react-router.md', vite);
    try {
      const address = newAddress();
      await page.goto(`${app.url}/reports`);
      await expect(page).toHaveURL(`${app.url}/login`);
      await page.getByRole('textbox', { name: /email/i }).fill(address);
      await page.getByRole('button', { name: /continue/i }).click();
      await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
      await expect(page).toHaveURL(`${app.url}/reports`);
      await expect(page.getByText('Only editors see the reports.')).toBeVisible();
      await page.getByRole('link', { name: 'Home' }).click();
      await expect(page.getByRole('heading', { name: `Hello, ${address}` })).toBeVisible();
      await page.getByRole('button', { name: /account/i }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(`${app.url}/login`);
    } finally {
      await end(page, app);
    }
  },
);

test('the example express knows who calls its API, and with which role', { tag: '@soak' }, async ({ page, inbox }) => {
  const app = await startExample('express', server);
  try {
    const address = newAddress();
    expect((await fetch(`${app.url}/api/note`)).status).toBe(401);
    await page.goto(app.url);
    await page.getByRole('textbox', { name: /email/i }).fill(address);
    await page.getByRole('button', { name: /continue/i }).click();
    // The note that is there fills the field when it arrives.
    const noteIsHere = page.waitForResponse((reply) => reply.url().endsWith('/api/note') && reply.ok());
    await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(address));
    await (await noteIsHere).finished();
    await page.getByRole('textbox', { name: 'Note' }).fill('Buy milk');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('status')).toHaveText('Saved.');
    await page.getByRole('button', { name: 'Show the reports' }).click();
    await expect(page.getByRole('status')).toHaveText(/editor/);
    await page.reload();
    await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Buy milk');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
  } finally {
    await end(page, app);
  }
});

test('the example hono-edge checks sessions on workerd', { tag: '@soak' }, async ({ page, inbox }) => {
  test.skip(`${process.platform} ${process.arch}` !== 'linux x64', 'this package of workerd is for Linux on x64');
  const app = await startExample('hono-edge', worker);
  try {
    expect((await fetch(`${app.url}/api/reports`)).status).toBe(401);
    const editor = newAddress();
    await new Backend(PROVIDER, PROJECT_ID, SECRET).signIn(editor, { roles: ['editor'] });
    await page.goto(app.url);
    await page.getByRole('textbox', { name: /email/i }).fill(editor);
    await page.getByRole('button', { name: /continue/i }).click();
    await page.getByRole('textbox', { name: /passcode/i }).pressSequentially(await inbox.codeFor(editor));
    await expect(page.getByRole('heading', { name: `Hello, ${editor}` })).toBeVisible();
    await page.getByRole('button', { name: 'Show the reports' }).click();
    await expect(page.getByRole('status')).toHaveText('Q1, Q2');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('textbox', { name: /email/i })).toBeVisible();
  } finally {
    await end(page, app);
  }
});
