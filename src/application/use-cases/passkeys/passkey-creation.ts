/** Creates passkeys. The code is loaded with the first: no login needs it. */
import { isAuthError } from '../../../domain/errors.ts';
import { webauthn, type ReplyFor } from '../../api/index.ts';
import type { BrowserPort, WebauthnPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import { withoutPrfResults } from '../../../domain/passkeys/prf.ts';
import { SESSION_DURATION_MINUTES } from '../../../domain/sessions/session.ts';
import { checkArguments } from '../../../domain/shape.ts';
import { TRUST, trusting, type TrustOptions } from '../sessions/trust-options.ts';
import { checkedExtensions, type ExtensionOptions, type WithExtensionResults } from './passkey-extensions.ts';
import { reportUnknown } from './passkey-reports.ts';

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
   * Adds a passkey after a login with a password, without a question, where the browser and the user's password manager do so (WebAuthn
   * Level 3, section 5.1.3). It proves nothing, so the session's factors stay as they are.
   */
  readonly conditional_mediation?: boolean | undefined;
  /**
   * Signs a visitor up with a passkey alone, under this email address, where the project allows it. The address is the name of the
   * passkey. It is no contact of the user, and stays `unproven_email` until they prove it. Other options of the passkey have no effect.
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

/** As a browser without the ceremony rejects. */
class NotSupportedError extends Error {
  override readonly name = 'NotSupportedError';
}

/**
 * Registers a passkey that the browser makes without a question (WebAuthn Level 3, section 5.1.3). Rejects with a `NotSupportedError`
 * before any request where the browser cannot. A passkey that the server refuses is reported as unknown.
 */
async function createSilently(
  { wire, sessions, authenticator }: Omit<CreationServices, 'browser' | 'risky'>,
  body: { readonly domain: string },
  signal: AbortSignal | undefined,
): Promise<ReplyFor<typeof webauthn.register>> {
  if (!(await authenticator.isCapable('conditionalCreate'))) {
    throw new NotSupportedError('Unsupported');
  }
  const { public_key_credential_creation_options: asked } = await wire.call(webauthn.registerStart, body, { signal });
  const public_key_credential = withoutPrfResults(await authenticator.create(asked, signal, 'conditional'));
  try {
    const reply = await wire.call(webauthn.register, { public_key_credential, is_passkey: true });
    // Nobody waits for the reply: the user may have signed out meanwhile.
    const isCurrent = sessions.state().session?.session_id === reply.session?.session_id;
    return isCurrent ? sessions.update(reply) : reply;
  } catch (error) {
    if (isAuthError(error) && error.kind === 'api') {
      await reportUnknown(authenticator, JSON.stringify({ rpId: body.domain }), public_key_credential);
    }
    throw error;
  }
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
  given: WebauthnRegisterOptions | undefined,
  domainOf: (options: WebauthnRegisterOptions) => Promise<string>,
): Promise<ReplyFor<typeof webauthn.register> & WithExtensionResults> {
  // Not a default parameter, because JavaScript callers may pass null.
  const options = given ?? {};
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
  const asked = extensions ? checkedExtensions('webauthn.register', extensions) : undefined;
  const body = {
    ...wishes,
    domain: await domainOf(options),
    return_passkey_credential_options: is_passkey,
    user_agent: browser.userAgent,
  };
  if (options.conditional_mediation) {
    return createSilently({ wire, sessions, authenticator }, body, signal);
  }
  const { domain, user_agent } = body;
  const { public_key_credential_creation_options } = await (email === undefined
    ? wire.call(webauthn.registerStart, body, { signal, continues: true })
    : wire.call(webauthn.signUpStart, { domain, email, user_agent }, { signal }));
  const credential = await authenticator.create(
    asked?.into(public_key_credential_creation_options) ?? public_key_credential_creation_options,
    signal,
  );
  onCreated?.();
  const made = { public_key_credential: withoutPrfResults(credential), session_duration_minutes };
  const reply = await (email === undefined
    ? wire.call(webauthn.register, { ...made, is_passkey: true, ...trusting(trust_device) })
    : risky.call(webauthn.signUp, made));
  return { ...sessions.update(reply), ...asked?.resultsOf(credential) };
}
