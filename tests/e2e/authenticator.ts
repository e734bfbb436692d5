/** Chromium's virtual authenticator: a device that makes and uses passkeys without a person (WebAuthn Level 3, section 11). */
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

const AUTHENTICATOR = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

export interface Authenticator {
  /** How many passkeys it holds. */
  readonly count: () => Promise<number>;
  /** Whether it verifies its user from now on. */
  readonly verify: (isUserVerified: boolean) => Promise<void>;
}

const sessions = new WeakMap<BrowserContext, CDPSession[]>();

/** An authenticator of this page alone; with `hasPrf` its passkeys derive secrets. It is removed at the end of the test. */
export async function addAuthenticator(page: Page, more: { readonly hasPrf?: boolean } = {}): Promise<Authenticator> {
  const context = page.context();
  const cdp = await context.newCDPSession(page);
  sessions.set(context, [...(sessions.get(context) ?? []), cdp]);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...AUTHENTICATOR, ...more },
  });
  return {
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    verify: async (isUserVerified) =>
      void (await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })),
  };
}

/** For the fixtures: a page that the next test uses again would keep its authenticator. */
export async function removeAuthenticators(context: BrowserContext): Promise<void> {
  for (const cdp of sessions.get(context) ?? []) await cdp.send('WebAuthn.disable');
  sessions.delete(context);
}
