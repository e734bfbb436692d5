/** A site whose project requires a second factor of every login. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import getPort from 'get-port';
import { Secret, TOTP } from 'otpauth';
import { PATIENT_SERVER, startProvider } from '#scripts/lib/provider-process.ts';
import { serveDemo } from '#scripts/serve-demo.ts';
import { createVerifier } from '#composition/server.ts';
import type { ProviderControl } from '#composition/control/provider-control.ts';
import { expect, test as base, type Inbox } from './fixtures.ts';
import { askForCode, codeField, expectSignedOut, heading, logOut, widget } from './visitor.ts';

const MFA = {
  policy: 'required',
  factors: ['totp', 'webauthn', 'recovery_code'],
  trusted_devices: { days: 30 },
  recovery_hours: 24,
};
export const CONNECTED_APP = {
  client_id: 'connected-app-test-second-factor',
  client_type: 'public',
  name: 'Planner',
  redirect_uris: ['http://localhost:3001/callback'],
};

interface MfaSite {
  readonly projectId: string;
  readonly pages: string;
  readonly provider: string;
}

async function startSite(project: object): Promise<{ readonly site: MfaSite; readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'portico-second-factor-'));
  const file = join(folder, 'project.json');
  const port = await getPort();
  const url = `http://localhost:${port}`;
  const demo = await serveDemo({ port: 0, providerUrl: url });
  // The messages about a recovery link to pages of the issuer.
  await writeFile(file, JSON.stringify({ issuer: url, clients: [CONNECTED_APP], ...project }));
  const pages = ['--authorization-url', `${demo.url}/authorize`, '--demo-url', demo.url];
  const args = ['--dev', '--port', String(port), '--data', 'memory', '--project', file, ...pages];
  const provider = await startProvider(args, { main: PATIENT_SERVER });
  return {
    site: { projectId: provider.projectId, pages: demo.url, provider: url },
    async stop() {
      await Promise.all([demo.close(), provider.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Tests on a site whose project has these settings. */
export const testWith = (project: object) =>
  base.extend<object, { readonly site: MfaSite }>({
    site: [
      async ({}, use) => {
        const { site, stop } = await startSite(project);
        await use(site);
        await stop();
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ site }, use) => use(site.pages),
    providerUrl: async ({ site }, use) => use(site.provider),
  });

export const test = testWith({ mfa: MFA });

export const button = (page: Page, name: string | RegExp): Locator => widget(page).getByRole('button', { name });
export const appCodeField = (page: Page): Locator =>
  widget(page).getByRole('textbox', { name: 'Code from your authenticator app' });

/** Proves the first factor: a code by email. */
export async function proveEmail(page: Page, inbox: Inbox, address: string): Promise<void> {
  const [before] = await inbox.messagesTo(address);
  await askForCode(page, address);
  await codeField(page).fill(await inbox.codeFor(address, before && { after: before.id }));
}

/** An authenticator app: the codes that it shows at the provider's time. */
export class App {
  private readonly totp: TOTP;

  constructor(
    key: string,
    private readonly control: ProviderControl,
  ) {
    this.totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  }

  /** The next code: the provider accepts each code once. */
  async code(): Promise<string> {
    const now = await this.control.clock.move({ seconds: 30 });
    return this.totp.generate({ timestamp: now.getTime() });
  }
}

/** From the list of factors to add to the end of the login; the app and the recovery codes. */
export async function addApp(page: Page, control: ProviderControl) {
  await button(page, 'Use an authenticator app').click();
  await expect(heading(page, 'Add this account to your app')).toBeVisible();
  const app = new App(await widget(page).locator('[data-part=secret]').innerText(), control);
  await button(page, 'Continue').click();
  await expect(heading(page, 'Save your recovery codes')).toBeVisible();
  const codes = await widget(page).locator('[data-part=codes] code').allInnerTexts();
  await button(page, 'I have saved them').click();
  await appCodeField(page).fill(await app.code());
  return { app, codes };
}

/** The newest link to the page about recoveries in a notice to the address, other than `known`. */
export async function recoveryLinkFor(inbox: Inbox, address: string, known = ''): Promise<string> {
  let found = '';
  await expect
    .poll(async () => {
      const links = (await inbox.messagesTo(address)).flatMap(
        ({ text }) => /https?:\S+\/notices\/recovery\?\S+/u.exec(text) ?? [],
      );
      found = links.find((link) => link !== known) ?? '';
      return found;
    })
    .not.toBe('');
  return found;
}

/** What the app's own server answers, at the provider's time, to a request that needs two factors and a proof of the last two minutes. */
export async function judged(context: BrowserContext, control: ProviderControl, site: MfaSite) {
  const now = await control.clock.now();
  const verifier = createVerifier({
    projectId: site.projectId,
    apiUrl: site.provider,
    adapters: { clock: { now: () => now.getTime(), after: () => () => {} } },
  });
  const cookies = await context.cookies(site.pages);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const who = await verifier.authenticateRequest(
    { headers: new Headers({ cookie }) },
    { factors: 2, maxAgeMinutes: 2 },
  );
  const session = who.status === 'forbidden' ? who.who.session : who.status === 'signed-in' ? who.session : null;
  const app = session?.authentication_factors.find(({ type }) => type === 'totp');
  return {
    totpAt: Date.parse(app?.last_authenticated_at ?? ''),
    lacks: who.status === 'forbidden' ? who.lacks : who.status === 'signed-in' ? null : who.status,
  };
}

/** Signs out of the demo page, which then shows the login. */
export async function leave(page: Page): Promise<void> {
  await logOut(page).click();
  await expectSignedOut(page);
}
