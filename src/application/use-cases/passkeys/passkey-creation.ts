/** Creates passkeys. The code is loaded with the first, because no login needs it. */
import { webauthn, type ReplyFor } from '../../api/index.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { BrowserPort, WebauthnPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import { withoutPrfResults } from '#domain/prf.ts';
import { SESSION_DURATION_MINUTES } from '#domain/sessions/session.ts';
import { checkArguments } from '#domain/shape.ts';
import { TRUST, trusting, type TrustOptions } from '../sessions/trust-options.ts';
import { checkedExtensions, type ExtensionOptions, type WithExtensionResults } from './passkey-extensions.ts';

/** The options of registering a passkey or security key. */
export interface WebauthnRegisterOptions extends TrustOptions, ExtensionOptions {
  readonly domain?: string | undefined;
  readonly authenticator_type?: 'platform' | 'cross-platform' | undefined;
  readonly is_passkey?: boolean | undefined;
  readonly override_id?: string | undefined;
  readonly override_name?: string | undefined;
  readonly override_display_name?: string | undefined;
  readonly use_base64_url_encoding?: boolean | undefined;
  /**
   * Adds a passkey automatically after a password login, if the browser and the user's password manager support that (WebAuthn Level 3,
   * section 5.1.3). It proves nothing, so the session's factors stay as they are.
   */
  readonly conditional_mediation?: boolean | undefined;
  /**
   * Signs up a visitor with only a passkey, under this email address, if the project allows it. The address becomes the name of the
   * passkey. It is not a contact of the user, and stays `unproven_email` until they verify it. Other options of the passkey have no effect.
   */
  readonly sign_up_email?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the browser has created the passkey, before the server verifies it. */
  readonly onCreated?: (() => void) | undefined;
  readonly session_duration_minutes?: number | undefined;
}

interface CreationServices {
  readonly risky: Pick<RiskyCall, 'call'>;
  readonly wire: Pick<WireClient, 'call'>;
  readonly sessions: Pick<SessionStore, 'state' | 'update'>;
  readonly authenticator: Pick<WebauthnPort, 'isCapable' | 'create' | 'signalUnknown'>;
  readonly browser: Pick<BrowserPort, 'userAgent'>;
}

const REGISTER = {
  ...webauthn.registerStart.body,
  domain: 'string?',
  is_passkey: 'boolean?',
  session_duration_minutes: 'number?',
  sign_up_email: 'string?',
  ...TRUST,
} as const;

/** Registers a passkey for the signed-in user. Rejects with the browser's error when the ceremony fails. */
export async function create(
  { wire, risky, sessions, authenticator, browser }: CreationServices,
  input: WebauthnRegisterOptions | undefined,
  domainOf: (options: WebauthnRegisterOptions) => Promise<string>,
): Promise<ReplyFor<typeof webauthn.register> & WithExtensionResults> {
  // Not a default parameter, because JavaScript callers may pass null.
  const options = input ?? {};
  checkArguments('webauthn.register', REGISTER, options);
  const {
    session_duration_minutes = SESSION_DURATION_MINUTES,
    is_passkey,
    signal,
    trust_device,
    extensions,
    sign_up_email: email,
    onCreated,
    ...wishes
  } = options;
  const clientExtensions = extensions ? checkedExtensions('webauthn.register', extensions) : undefined;
  const body = {
    ...wishes,
    domain: await domainOf(options),
    return_passkey_credential_options: is_passkey,
    user_agent: browser.userAgent,
  };
  if (options.conditional_mediation) {
    const late = await codeLoad(import('./silent-creation.ts'));
    return late.createSilently({ wire, sessions, authenticator }, body, signal);
  }
  const { domain, user_agent } = body;
  const { public_key_credential_creation_options } = await (email === undefined
    ? wire.call(webauthn.registerStart, body, { signal, continues: true })
    : wire.call(webauthn.signUpStart, { domain, email, user_agent }, { signal }));
  const credential = await authenticator.create(
    clientExtensions?.into(public_key_credential_creation_options) ?? public_key_credential_creation_options,
    signal,
  );
  onCreated?.();
  const registration = { public_key_credential: withoutPrfResults(credential), session_duration_minutes };
  try {
    const reply = await (email === undefined
      ? wire.call(webauthn.register, { ...registration, is_passkey: true, ...trusting(trust_device) })
      : risky.call(webauthn.signUp, registration));
    return { ...sessions.update(reply), ...clientExtensions?.resultsOf(credential) };
  } catch (error) {
    // If its code cannot be loaded, there is no report.
    const late = await codeLoad(import('./passkey-reports.ts')).catch(() => undefined);
    await late?.reportRefused(authenticator, public_key_credential_creation_options, {
      credential: registration.public_key_credential,
      error,
    });
    throw error;
  }
}
