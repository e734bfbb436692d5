import { webauthn, type ReplyFor } from '../api/index.ts';
import { SESSION_DURATION_MINUTES } from '../../domain/session.ts';
import type { BrowserPort, WebauthnPort } from '../ports/index.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';

/** How a passkey or security key is registered. */
export interface WebauthnRegisterOptions {
  readonly domain?: string | undefined;
  readonly authenticator_type?: 'platform' | 'cross-platform' | undefined;
  readonly is_passkey?: boolean | undefined;
  readonly override_id?: string | undefined;
  readonly override_name?: string | undefined;
  readonly override_display_name?: string | undefined;
  readonly use_base64_url_encoding?: boolean | undefined;
  readonly session_duration_minutes?: number | undefined;
}

export interface WebauthnAuthenticateOptions {
  readonly domain?: string | undefined;
  readonly is_passkey?: boolean | undefined;
  /** Offers passkeys while a form is filled in (WebAuthn Level 3, section 5.1.4). */
  readonly conditional_mediation?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly session_duration_minutes: number;
}

/** Registering passkeys and logging in by them (specification, sections 4 and 7; WebAuthn Level 3). */
export class PasskeyCeremonies {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly authenticator: WebauthnPort,
    private readonly browser: BrowserPort,
  ) {}

  /** Registers for the signed-in user. Rejects as the browser does when the ceremony comes to nothing. */
  async register(options: WebauthnRegisterOptions): Promise<ReplyFor<typeof webauthn.register>> {
    const { session_duration_minutes = SESSION_DURATION_MINUTES, is_passkey, ...wishes } = options;
    const { public_key_credential_creation_options } = await this.risky.wire.call(webauthn.registerStart, {
      ...wishes,
      domain: options.domain ?? this.browser.hostname,
      return_passkey_credential_options: is_passkey,
      user_agent: this.browser.userAgent,
    });
    const public_key_credential = await this.authenticator.create(public_key_credential_creation_options);
    const reply = await this.risky.wire.call(webauthn.register, {
      public_key_credential,
      session_duration_minutes,
      is_passkey: true,
    });
    this.sessions.update(reply);
    return reply;
  }

  /**
   * Logs in, or adds the factor to the present session. Null when it was to happen while a form is filled in and the
   * browser, or the page, has no place for that.
   */
  async authenticate(options: WebauthnAuthenticateOptions): Promise<ReplyFor<typeof webauthn.authenticate> | null> {
    const { conditional_mediation: conditional, signal, session_duration_minutes } = options;
    if (conditional && !(await this.canAutofill())) return null;
    const endpoint = this.sessions.mayBeSignedIn()
      ? webauthn.authenticateStartSecondary
      : webauthn.authenticateStartPrimary;
    const { public_key_credential_request_options } = await this.risky.wire.call(
      endpoint,
      { domain: options.domain ?? this.browser.hostname, return_passkey_credential_options: options.is_passkey },
      { signal },
    );
    const mediation = conditional ? 'conditional' : 'modal';
    const public_key_credential = await this.authenticator.get(
      public_key_credential_request_options,
      mediation,
      signal,
    );
    const reply = await this.risky.call(webauthn.authenticate, { public_key_credential, session_duration_minutes });
    this.sessions.update(reply);
    return reply;
  }

  update(webauthn_registration_id: string, name: string): Promise<ReplyFor<typeof webauthn.update>> {
    return this.risky.wire.call(webauthn.update, { name }, { params: { webauthn_registration_id } });
  }

  supportsAutofill(): Promise<boolean> {
    return this.authenticator.supportsAutofill();
  }

  private async canAutofill(): Promise<boolean> {
    return (await this.authenticator.supportsAutofill()) && (await this.authenticator.hasAutofillInput());
  }
}
