import type { WebauthnPort } from '#application/ports/index.ts';
import type { UserNames } from '#domain/passkeys/user-names.ts';
import { pageShared } from '../browser/page-shared.ts';
import { hasPasskeyInput } from './autofill-input.ts';
import { jsonWithBuffers } from './binary.ts';
import { creationOptions, requestOptions } from './webauthn-options.ts';

type Page = Window & { readonly PublicKeyCredential?: Partial<typeof PublicKeyCredential> };
type CreationRequest = CredentialCreationOptions & { readonly mediation?: 'conditional' };

/** Browsers ignore members that they do not support. */
const MODES = {
  modal: {},
  conditional: { mediation: 'conditional' },
  immediate: { uiMode: 'immediate' },
} as const;

function aborted(): DOMException {
  return new DOMException('The ceremony was aborted', 'AbortError');
}

/** Sends a signal and ignores its failure, because signals are only hints. */
async function quietly(signal: () => Promise<void>): Promise<void> {
  try {
    await signal();
  } catch {
    // The browser refused the signal: a foreign rpId, or a malformed credential id.
  }
}

/**
 * A member of the credential, as JSON; undefined if reading it throws. Password managers replace credentials, and some of their members
 * throw, also those that only the other kind of ceremony has.
 */
function optional(member: () => unknown): unknown {
  try {
    return JSON.parse(jsonWithBuffers(member() ?? undefined)) as unknown;
  } catch {
    return undefined;
  }
}

/** The credential as JSON (section 5.1). Members that the browser does not provide are left out; the server refuses what it needs. */
function toJson(credential: PublicKeyCredential): string {
  const { id, response } = credential;
  const attested = response as Partial<AuthenticatorAttestationResponse>;
  const asserted = response as Partial<AuthenticatorAssertionResponse>;
  return jsonWithBuffers({
    id,
    rawId: optional(() => credential.rawId) ?? id,
    type: optional(() => credential.type) ?? 'public-key',
    authenticatorAttachment: optional(() => credential.authenticatorAttachment),
    clientExtensionResults: optional(() => credential.getClientExtensionResults()) ?? {},
    response: {
      clientDataJSON: response.clientDataJSON,
      attestationObject: optional(() => attested.attestationObject),
      transports: optional(() => attested.getTransports?.()),
      publicKeyAlgorithm: optional(() => attested.getPublicKeyAlgorithm?.()),
      publicKey: optional(() => attested.getPublicKey?.()),
      authenticatorData:
        optional(() => asserted.authenticatorData) ?? optional(() => attested.getAuthenticatorData?.()),
      signature: optional(() => asserted.signature),
      userHandle: optional(() => asserted.userHandle),
    },
  });
}

/** Passkeys through the browser's WebAuthn API. */
export class BrowserWebauthn implements WebauthnPort {
  constructor(private readonly window: Window) {}

  async supportsAutofill(): Promise<boolean> {
    try {
      const { PublicKeyCredential } = this.window as Page;
      return (await PublicKeyCredential?.isConditionalMediationAvailable?.()) === true;
    } catch {
      return false;
    }
  }

  hasAutofillInput(): boolean {
    return hasPasskeyInput(this.window.document);
  }

  async creation(): Promise<'here' | 'elsewhere' | 'none'> {
    const { PublicKeyCredential } = this.window as Page;
    if (PublicKeyCredential === undefined) return 'none';
    try {
      return (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.()) === true
        ? 'here'
        : 'elsewhere';
    } catch {
      return 'elsewhere';
    }
  }

  async signalUnknown(rpId: string, credentialId: string): Promise<void> {
    const { PublicKeyCredential } = this.window as Page;
    await quietly(async () => PublicKeyCredential?.signalUnknownCredential?.({ rpId, credentialId }));
  }

  async signalAccepted(rpId: string, userId: string, credentialIds: readonly string[]): Promise<void> {
    const { PublicKeyCredential } = this.window as Page;
    const allAcceptedCredentialIds = [...credentialIds];
    await quietly(async () =>
      PublicKeyCredential?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds }),
    );
  }

  async signalDetails(rpId: string, userId: string, { name, displayName }: UserNames): Promise<void> {
    const { PublicKeyCredential } = this.window as Page;
    await quietly(async () => PublicKeyCredential?.signalCurrentUserDetails?.({ rpId, userId, name, displayName }));
  }

  async isCapable(capability: 'conditionalCreate' | 'immediateGet'): Promise<boolean> {
    try {
      const capabilities = await (this.window as Page).PublicKeyCredential?.getClientCapabilities?.();
      return capabilities?.[capability] === true;
    } catch {
      return false;
    }
  }

  async create(json: string, signal?: AbortSignal, mediation?: 'conditional'): Promise<string> {
    const publicKey = creationOptions(json);
    return this.ceremony(signal, (credentials, own) => {
      const request: CreationRequest = { publicKey, signal: own, ...(mediation && { mediation }) };
      return credentials.create(request);
    });
  }

  async get(json: string, mediation: Parameters<WebauthnPort['get']>[1], signal?: AbortSignal): Promise<string> {
    const publicKey = requestOptions(json);
    return this.ceremony(signal, (credentials, own) =>
      credentials.get({ publicKey, signal: own, ...MODES[mediation] }),
    );
  }

  private async ceremony(
    signal: AbortSignal | undefined,
    begin: (credentials: CredentialsContainer, own: AbortSignal) => Promise<Credential | null>,
  ): Promise<string> {
    // oxlint-disable-next-line no-restricted-properties -- the one place that calls it
    const credentials = this.window.navigator.credentials as CredentialsContainer | undefined;
    if ((this.window as Page).PublicKeyCredential === undefined || credentials === undefined) {
      throw new DOMException('This browser has no passkeys', 'NotSupportedError');
    }
    if (signal?.aborted === true) throw aborted();
    const page = pageShared<{ running?: AbortController }>(this.window, 'ceremony', () => ({}));
    page.running?.abort();
    const own = new AbortController();
    page.running = own;
    // Password managers replace the browser's functions, and some of them ignore the abort signal.
    const stopped = new Promise<never>((_, reject) => {
      own.signal.addEventListener('abort', () => reject(aborted()), { once: true });
    });
    const stop = (): void => own.abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const credential: unknown = await Promise.race([begin(credentials, own.signal), stopped]);
      // A replacement of the browser's function may resolve with nothing.
      if (!credential) throw new DOMException('There is no such passkey', 'NotAllowedError');
      return toJson(credential as PublicKeyCredential);
    } finally {
      signal?.removeEventListener('abort', stop);
      if (page.running === own) delete page.running;
    }
  }
}
