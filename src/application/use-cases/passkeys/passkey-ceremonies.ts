import { checkArguments } from '#domain/shape.ts';
import { codeLoad } from '#domain/code-loads.ts';
import { DURATION } from '../../api/authenticated.ts';
import { webauthn, type ReplyFor } from '../../api/index.ts';
import { isAuthError } from '#domain/errors.ts';
import type { BrowserPort, WebauthnPort } from '../../ports/index.ts';
import { TRUST, trusting, type TrustOptions } from '../sessions/trust-options.ts';
import type { Project } from '../project/project.ts';
import type { WebauthnRegisterOptions } from './passkey-creation.ts';
import type { CheckedExtensions, ExtensionOptions, WithExtensionResults } from './passkey-extensions.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';

/** Options of `webauthn.authenticate`. `domain` defaults to the project's domain of passkeys, else to the page's host. */
export interface WebauthnAuthenticateOptions extends TrustOptions, ExtensionOptions {
  readonly domain?: string | undefined;
  readonly is_passkey?: boolean | undefined;
  /** Offers passkeys in a form field instead of a dialog (WebAuthn Level 3, section 5.1.4). */
  readonly conditional_mediation?: boolean | undefined;
  /**
   * Shows only passkeys of this device, and immediately rejects with a `NotAllowedError` if there is none (user interface mode
   * `immediate`). It needs a recent press by the user. Other browsers show their usual dialog.
   */
  readonly immediate_mediation?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly session_duration_minutes: number;
  /** Called when the person has used a passkey, before the server verifies it. */
  readonly onUsed?: (() => void) | undefined;
}

const AUTHENTICATE = {
  ...DURATION,
  ...TRUST,
  domain: 'string?',
  is_passkey: 'boolean?',
  conditional_mediation: 'boolean?',
  immediate_mediation: 'boolean?',
} as const;

/** Its code is loaded only for a caller with extensions. */
const checked = async (method: string, extensions: unknown): Promise<CheckedExtensions | undefined> =>
  (extensions ?? undefined) === undefined
    ? undefined
    : (await codeLoad(import('./passkey-extensions.ts'))).checkedExtensions(method, extensions);

/** The credential for the server, without secrets that the passkey derived for this browser, no matter who requested them. */
const sendable = async (credential: string): Promise<string> =>
  credential.includes('"prf"')
    ? (await codeLoad(import('./passkey-extensions.ts'))).withoutPrfResults(credential)
    : credential;

function isUnknown(error: unknown): boolean {
  return isAuthError(error) && error.kind === 'api' && error.error_type === 'webauthn_registration_not_found';
}

/** Registration of passkeys, and login with them (specification, sections 4 and 7; WebAuthn Level 3). */
export class PasskeyCeremonies {
  constructor(
    private readonly wire: WireClient,
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly authenticator: WebauthnPort,
    private readonly browser: BrowserPort,
    private readonly project: Project,
  ) {}

  /** Registers a passkey for the signed-in user, or signs a visitor up with one. Rejects with the browser's error when the ceremony fails. */
  async register(input?: WebauthnRegisterOptions): Promise<ReplyFor<typeof webauthn.register> & WithExtensionResults> {
    const { wire, risky, sessions, authenticator, browser } = this;
    const late = await codeLoad(import('./passkey-creation.ts'));
    return late.create({ wire, risky, sessions, authenticator, browser }, input, (options) => this.domainOf(options));
  }

  /**
   * Logs in, or adds the factor to the current session. Resolves with null for `conditional_mediation` if the browser does not support it
   * or the page has no input for it.
   */
  async authenticate(
    options: WebauthnAuthenticateOptions,
  ): Promise<(ReplyFor<typeof webauthn.authenticate> & WithExtensionResults) | null> {
    checkArguments('webauthn.authenticate', AUTHENTICATE, options);
    const clientExtensions = await checked('webauthn.authenticate', options.extensions);
    const { conditional_mediation: conditional, signal, session_duration_minutes } = options;
    if (conditional && !(await this.canAutofill())) return null;
    const endpoint =
      this.sessions.mayBeSignedIn() || this.sessions.intermediateToken() !== null
        ? webauthn.authenticateStartSecondary
        : webauthn.authenticateStartPrimary;
    const isPrimary = endpoint === webauthn.authenticateStartPrimary;
    const { public_key_credential_request_options } = await this.wire.call(
      endpoint,
      {
        domain: await this.domainOf(options),
        // Only a passkey verifies its user, so only it is enough for a login. Another security key is only a second factor.
        return_passkey_credential_options: isPrimary || options.is_passkey,
      },
      { signal, continues: !isPrimary },
    );
    const mediation = conditional ? 'conditional' : options.immediate_mediation ? 'immediate' : 'modal';
    const credential = await this.authenticator.get(
      clientExtensions?.into(public_key_credential_request_options) ?? public_key_credential_request_options,
      mediation,
      signal,
    );
    options.onUsed?.();
    try {
      const reply = await this.risky.call(webauthn.authenticate, {
        public_key_credential: await sendable(credential),
        session_duration_minutes,
        ...trusting(options.trust_device),
      });
      return { ...this.sessions.update(reply), ...clientExtensions?.resultsOf(credential) };
    } catch (error) {
      // Only without a session: with one, the server gives the same error for another user's passkey, which is still valid.
      if (isPrimary && isUnknown(error)) {
        const request = public_key_credential_request_options;
        // The error does not wait for the report or its code. If the code cannot be loaded, there is no report.
        void codeLoad(import('./passkey-reports.ts'))
          .then(async (reports) => reports.reportUnknown(this.authenticator, request, credential))
          .catch(() => undefined);
      }
      throw error;
    }
  }

  /** The domain of the call, else the project's, else the page's host. */
  private async domainOf({ domain }: { readonly domain?: string | undefined }): Promise<string> {
    return domain ?? (await this.project.bootstrap()).passkeyDomain ?? this.browser.hostname;
  }

  /** Renames a registration, and updates the signed-in user. */
  async update(options: {
    readonly webauthn_registration_id: string;
    readonly name: string;
  }): Promise<ReplyFor<typeof webauthn.update>> {
    const { wire, sessions } = this;
    const late = await codeLoad(import('./passkey-changes.ts'));
    return late.rename({ wire, sessions }, options);
  }

  async isCapable(...args: Parameters<WebauthnPort['isCapable']>): Promise<boolean> {
    return this.authenticator.isCapable(...args);
  }

  /** The place where a passkey can be created. */
  creation(): ReturnType<WebauthnPort['creation']> {
    return this.authenticator.creation();
  }

  /**
   * Reports the signed-in user's valid passkeys for a domain to the passkey provider (WebAuthn Level 3, section 5.1.10.2). They are read
   * from the options of a new registration, which is not completed. Rejects without a response of the server, or if the code of the report
   * cannot be loaded.
   */
  async tellAccepted(domain: string): Promise<void> {
    const { wire, authenticator, browser } = this;
    const late = await codeLoad(import('./passkey-changes.ts'));
    return late.tellAccepted({ wire, authenticator, browser }, domain);
  }

  async supportsAutofill(): Promise<boolean> {
    return this.authenticator.supportsAutofill();
  }

  private async canAutofill(): Promise<boolean> {
    return (await this.authenticator.supportsAutofill()) && (await this.authenticator.hasAutofillInput());
  }
}
