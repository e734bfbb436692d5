import type { BrowserContext, CDPSession, Page } from '@playwright/test';

/** A passkey on the authenticator. */
export interface HeldPasskey {
  /** base64. */
  readonly credentialId: string;
  readonly rpId: string;
  /** How often it signed. */
  readonly signCount: number;
}

/** Chromium's virtual authenticator (WebAuthn Level 3, section 11.2), which answers without a person. */
export class Authenticator {
  private constructor(
    private readonly session: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  /** Adds one to a page, before the page asks for a passkey. Rejects in browsers other than Chromium. */
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

  /** The passkeys that it holds. */
  async passkeys(): Promise<readonly HeldPasskey[]> {
    const { authenticatorId } = this;
    // oxlint-disable-next-line no-restricted-properties -- the reply of the debugger, not the page's `navigator`
    const { credentials } = await this.session.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.map(({ credentialId, rpId = '', signCount }) => ({ credentialId, rpId, signCount }));
  }

  /** Whether the person passes the check of fingerprint, face or PIN from now on. */
  async setUserVerified(isUserVerified: boolean): Promise<void> {
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified });
  }
}
