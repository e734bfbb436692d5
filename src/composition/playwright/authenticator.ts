import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** A passkey on the authenticator. */
export interface HeldPasskey {
  /** base64. */
  readonly credentialId: string;
  readonly rpId: string;
  /** The number of signatures. */
  readonly signCount: number;
}

/** Chromium's virtual authenticator (WebAuthn Level 3, section 11.2), which works without user interaction. */
export class Authenticator {
  private constructor(
    private readonly session: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** Adds an authenticator to a page. Call it before the page requests a passkey. Rejects in browsers other than Chromium. */
  static async addTo(context: BrowserContext, page: Page): Promise<Authenticator> {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(session, authenticatorId);
  }

  /** The stored passkeys. */
  async passkeys(): Promise<readonly HeldPasskey[]> {
    const { authenticatorId } = this;
    // oxlint-disable-next-line no-restricted-properties -- the reply of the debugger, not the page's `navigator`
    const { credentials } = await this.session.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ credentialId, rpId = '', signCount }) => ({ credentialId, rpId, signCount }));
  }

  /** Sets whether user verification (fingerprint, face or PIN) succeeds from now on. */
  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified });
  }
}
