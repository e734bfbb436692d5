import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { EITHER_DATABASE } from '../kit/harness.ts';
import { as, ISSUER, makeApps, SETTINGS, type Apps } from '../kit/idp-harness.ts';

interface Device {
  readonly user_code: string;
}

/** The exports of the example, which has no types. */
interface Tool {
  begin(options: { readonly issuer: string; readonly fetch: typeof fetch }): Promise<Device>;
  tokensOf(device: Device, sleep: (seconds: number) => Promise<void>): Promise<{ readonly access_token: string }>;
}

const TOOL = pathToFileURL(join(ROOT, 'examples/command-line/tool.mjs')).href;

const [, url] = EITHER_DATABASE[0] ?? [];
let apps: Apps;
let tool: Tool;
beforeAll(async () => {
  const [planner] = SETTINGS.clients;
  const client = { ...planner, client_id: 'tool', redirect_uris: undefined, device_authorization_allowed: true };
  apps = await makeApps(url, { clients: [client] });
  tool = (await import(TOOL)) as Tool;
});
afterAll(() => apps.provider.close());

const send = (async (address: string, init?: RequestInit) => apps.provider.app.request(address, init)) as typeof fetch;
const begin = () => tool.begin({ issuer: ISSUER, fetch: send });
const decide = (user_code: unknown, consent_granted: boolean) =>
  apps.provider.post('/idp/oauth/device/submit', { user_code, consent_granted }, as(apps.signedIn.user));

it('the command line tool of the guide waits for the person, slows down when it is told, and gets tokens', async () => {
  const device = await begin();
  const waits: number[] = [];
  const tokens = await tool.tokensOf(device, async (seconds: number) => {
    waits.push(seconds);
    // The second poll comes too soon.
    apps.provider.clock.time += waits.length === 2 ? 0 : seconds * 1000;
    if (waits.length === 4) await decide(device.user_code, true);
  });
  expect(waits).toEqual([5, 5, 10, 10]);
  expect((await apps.userinfo(tokens.access_token)).body).toMatchObject({ email: 'edith@example.com' });
});

it('the command line tool of the guide ends when the person denies it', async () => {
  const device = await begin();
  await decide(device.user_code, false);
  await expect(tool.tokensOf(device, async () => undefined)).rejects.toThrow('The user denied the access.');
});
