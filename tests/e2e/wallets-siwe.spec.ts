/** What wallets are asked to sign, though an old project file wants no EIP-4361: a provider and a demo of their own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { PATIENT_SERVER, startProvider } from '#scripts/lib/provider-process.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { serveDemo } from '#scripts/serve-demo.ts';
import { expect, test } from './fixtures.ts';
import { fetchReply } from './forward.ts';
import { account, heading } from './visitor.ts';
import { crypto, ETHEREUM, SOLANA, wallet } from './wallet-visitor.ts';

let url = '';
let stop = async (): Promise<void> => undefined;

test.beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-siwe-'));
  const file = join(folder, 'project.json');
  const project = JSON.parse(await readFile(join(ROOT, 'provider/project.json'), 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...project, siwe_required_for_crypto_wallets: false }));
  const port = await getPort();
  const provider = await startProvider(['--dev', '--port', String(port), '--data', 'memory', '--project', file], {
    main: PATIENT_SERVER,
  });
  const demo = await serveDemo({ port: 0, providerUrl: `http://localhost:${port}` });
  url = demo.url;
  stop = async () => {
    await Promise.all([demo.close(), provider.stop()]);
    await rm(folder, { recursive: true });
  };
});
test.afterAll(async () => stop());

interface WalletRequest {
  readonly method: string;
  readonly params?: readonly string[];
}

test(
  'the wallet signs a message that names the page, and that signs in',
  { tag: '@soak' },
  async ({ page, demoPath }) => {
    await page.goto(`${url}${demoPath}?wallet=1&${crypto()}`);
    await expect(wallet(page, ETHEREUM)).toBeVisible();
    await page.evaluate(() => {
      const asked: unknown[] = [];
      const { ethereum } = window as unknown as { readonly ethereum: { request(call: object): Promise<unknown> } };
      const request = ethereum.request;
      ethereum.request = (call) => {
        asked.push(call);
        return request(call);
      };
      Object.assign(window, { asked });
    });
    await wallet(page, ETHEREUM).click();
    await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
    const asked = await page.evaluate(() => (window as unknown as { readonly asked: readonly WalletRequest[] }).asked);
    expect(asked.map(({ method }) => method)).toEqual(['eth_requestAccounts', 'personal_sign']);
    const lines = asked[1]?.params?.[0]?.split('\n') ?? [];
    expect(lines[0]).toBe(`${new URL(url).host} wants you to sign in with your Ethereum account:`);
    expect(lines[1]).toBe(asked[1]?.params?.[1]);
    expect(lines).toContain(`URI: ${new URL(url).origin}`);
  },
);

test('Solana wallets sign in by a message of the same kind', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.goto(`${url}${demoPath}?wallet=1&${crypto()}`);
  await wallet(page, SOLANA).click();
  await expect(account(page).getByRole('heading', { name: 'You are signed in' })).toBeVisible();
});

test('a challenge that names another page never reaches the wallet', { tag: '@soak' }, async ({ page, demoPath }) => {
  await page.route('**/crypto_wallets/authenticate/start/*', async (route) => {
    if (route.request().method() === 'OPTIONS') return route.fallback();
    const reply = await fetchReply(route);
    return route.fulfill({ ...reply, body: reply.body.replaceAll(new URL(url).host, 'evil.example') });
  });
  await page.goto(`${url}${demoPath}?wallet=1&${crypto()}`);
  await expect(wallet(page, ETHEREUM)).toBeVisible();
  await page.evaluate(() => {
    const { ethereum } = window as unknown as { readonly ethereum: { request(call: WalletRequest): Promise<unknown> } };
    const request = ethereum.request;
    ethereum.request = (call) => {
      if (call.method === 'personal_sign') document.title = 'was asked to sign';
      return request(call);
    };
  });
  await wallet(page, ETHEREUM).click();
  await expect(heading(page, 'Looks like there was an error!')).toBeVisible();
  expect(await page.title()).not.toBe('was asked to sign');
});
