import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { ROOT } from '#scripts/lib/root.mjs';
import { start, stop, untilSays } from '#scripts/lib/run.ts';
import { McpAgent } from '../clients/mcp-agent.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { newAddress } from '../e2e/visitor.ts';
import { startExample } from './kit/example.ts';
import { skipOnOlderNode } from './kit/node-version.ts';

skipOnOlderNode('mcp');

test('the example mcp lets the official client in, whose reason to fail is on a page', async ({ page, trap }, info) => {
  trap.allow(/Failed to load resource/);
  const providerUrl = `http://localhost:${await getPort()}`;
  const app = await startExample('mcp', {
    serve: (port) => ({ command: ['./server.mjs'], env: { PORT: String(port) } }),
    env: { PORTICO_API_URL: providerUrl },
  });
  const project = info.outputPath('project.json');
  const text = readFileSync(join(ROOT, 'examples/mcp/project.json'), 'utf8');
  writeFileSync(project, text.replaceAll('http://localhost:8080', app.url));
  const main = join(ROOT, 'provider/dist/main.js');
  const args = ['--dev', '--port', new URL(providerUrl).port, '--data', 'memory', '--project', project];
  const provider = start(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    await untilSays(provider, /localhost/u);
    const address = newAddress();
    const newestCode = async (address: string) => {
      const reply = await fetch(`${providerUrl}/dev/inbox.json?to=${encodeURIComponent(address)}`);
      return ((await reply.json()) as readonly { readonly code?: string }[])[0]?.code;
    };
    const answers: URL[] = [];
    await page.route('http://127.0.0.1:9/**', async (route) => {
      answers.push(new URL(route.request().url()));
      await route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,"><p>Back at the app' });
    });
    const email = page.getByRole('textbox', { name: /email/i });
    const allow = page.getByRole('button', { name: /allow/i });
    const logIn = async (address: string): Promise<void> => {
      await email.fill(address);
      await page.getByRole('button', { name: /continue/i }).click();
      await expect.poll(async () => newestCode(address)).toBeTruthy();
      await page.getByRole('textbox', { name: /passcode/i }).pressSequentially((await newestCode(address)) ?? '');
      await expect(page.getByText(`Signed in as ${address}`)).toBeVisible();
    };
    const agent = new McpAgent(async (authorization) => {
      await page.goto(authorization.href);
      await expect(email.or(allow)).toBeVisible();
      if (await email.isVisible()) {
        await logIn(newAddress());
        await page.getByRole('button', { name: 'Use another account' }).click();
        await logIn(address);
      }
      await expect(page.getByText('Notes', { exact: false }).first()).toBeVisible();
      await allow.click();
      await expect(page.getByText('Back at the app')).toBeVisible();
      return answers.at(-1) ?? new URL('about:blank');
    });
    const mcp = `${app.url}/mcp`;
    const said = await agent.use(mcp, async (client) => client.callTool({ name: 'list_notes', arguments: {} }));
    expect(said.content).toEqual([{ type: 'text', text: '' }]);

    // An app that requires a new login, of the same person, who has consented.
    const again = new URL(agent.visits[0] ?? 'about:blank');
    again.searchParams.set('prompt', 'login');
    await page.goto(again.href);
    const before = await newestCode(address);
    await email.fill(address);
    await page.getByRole('button', { name: /continue/i }).click();
    await expect.poll(async () => newestCode(address)).not.toBe(before);
    await page.getByRole('textbox', { name: /passcode/i }).pressSequentially((await newestCode(address)) ?? '');
    await expect(page.getByText('Back at the app')).toBeVisible();

    // An agent that sends another redirect URI than it registered.
    const wrong = agent.visits[0] ?? new URL('about:blank');
    wrong.searchParams.set('redirect_uri', 'http://127.0.0.1:9/elsewhere?token=<b>seekrit');
    await page.goto(wrong.href);
    await page.getByRole('link', { name: 'what was expected' }).click();
    const card = page.getByRole('article').first();
    await expect(card).toContainText('redirect_uri = http://127.0.0.1:9/elsewhere?token=…');
    await expect(card).toContainText('http://127.0.0.1:9/callback');
    await expect(card.getByRole('link', { name: 'RFC 9700, section 2.1' })).toBeVisible();
  } finally {
    await page.goto('about:blank');
    await Promise.all([app.stop(), stop(provider)]);
  }
});
