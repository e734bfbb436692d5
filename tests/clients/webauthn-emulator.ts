import {
  AuthenticatorEmulator,
  PasskeysCredentialsMemoryRepository,
  WebAuthnEmulator,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from 'nid-webauthn-emulator';
import type { WebauthnPort } from '#application/ports/index.ts';
import type { UserNames } from '#domain/passkeys/user-names.ts';

/** The passkeys of a browser at this origin, with an authenticator and a WebAuthn API that nobody here wrote. */
export class EmulatedWebauthn implements WebauthnPort {
  private readonly stored = new PasskeysCredentialsMemoryRepository();
  private readonly emulator = new WebAuthnEmulator(new AuthenticatorEmulator({ credentialsRepository: this.stored }));

  constructor(private readonly origin: string) {}

  /** The passkeys of the authenticator: their names and sign counts. */
  get passkeys() {
    return this.stored
      .loadCredentials()
      .map(({ user, authenticatorData }) => ({ name: user?.name, uses: authenticatorData.signCount }));
  }

  async create(options: string): Promise<string> {
    const read = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON;
    return JSON.stringify(this.emulator.createJSON(this.origin, read));
  }

  async get(options: string): Promise<string> {
    const read = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
    return JSON.stringify(this.emulator.getJSON(this.origin, read));
  }

  async signalUnknown(rpId: string, credentialId: string): Promise<void> {
    quietly(() => this.emulator.signalUnknownCredential({ rpId, credentialId }));
  }

  async signalAccepted(rpId: string, userId: string, credentialIds: readonly string[]): Promise<void> {
    const allAcceptedCredentialIds = [...credentialIds];
    quietly(() => this.emulator.signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds }));
  }

  async signalDetails(rpId: string, userId: string, { name, displayName }: UserNames): Promise<void> {
    quietly(() => this.emulator.signalCurrentUserDetails({ rpId, userId, name, displayName }));
  }

  async supportsAutofill(): Promise<boolean> {
    return false;
  }

  hasAutofillInput(): boolean {
    return false;
  }

  async creation(): Promise<'here'> {
    return 'here';
  }

  async isCapable(): Promise<boolean> {
    return false;
  }
}

/** A signal never rejects; the emulator throws where it has no such passkey. */
function quietly(signal: () => void): void {
  try {
    signal();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
