/** The reports to the passkey provider (WebAuthn Level 3, section 5.1.10). Their code is loaded with the first report. */
import { base64url } from '#domain/base64url.ts';
import { isAuthError } from '#domain/errors.ts';
import { acceptedFrom, refusedFrom, unknownFrom } from '#domain/passkeys/passkey-signals.ts';
import { namesOf } from '#domain/passkeys/user-names.ts';
import { isImpersonated } from '#domain/rules/factors.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { User } from '#domain/users/user.ts';
import type { WebauthnPort } from '../../ports/index.ts';

/** Reports the passkey of a failed login that the server does not know. */
export async function reportUnknown(
  webauthn: Pick<WebauthnPort, 'signalUnknown'>,
  requestOptions: string,
  credential: string,
): Promise<void> {
  const unknown = unknownFrom(requestOptions, credential);
  if (unknown !== null) await webauthn.signalUnknown(unknown.rpId, unknown.credentialId);
}

/** The server has the passkey already. */
const KNOWN = 'duplicate_webauthn_registration';

/**
 * Reports a new passkey that the server refused, so that the user is not offered it. Not done without an answer, because the server may
 * have stored it.
 */
export async function reportRefused(
  webauthn: Pick<WebauthnPort, 'signalUnknown'>,
  creationOptions: string,
  { credential, error }: { readonly credential: string; readonly error: unknown },
): Promise<void> {
  const isRefused = isAuthError(error) && error.kind === 'api' && error.status_code < 500 && error.error_type !== KNOWN;
  const unknownCredential = isRefused ? refusedFrom(creationOptions, credential) : null;
  if (unknownCredential !== null) await webauthn.signalUnknown(unknownCredential.rpId, unknownCredential.credentialId);
}

/** Reports all of the user's passkeys that the server accepts, read from the options of a registration. */
export async function reportAccepted(webauthn: WebauthnPort, creationOptions: string): Promise<void> {
  const accepted = acceptedFrom(creationOptions);
  if (accepted !== null) await webauthn.signalAccepted(accepted.rpId, accepted.userId, accepted.credentialIds);
}

/**
 * Reports the user's names for each domain of a passkey, except those shown in an impersonator's browser. A passkey created with
 * `override_id` has another user handle, so its names stay.
 */
export async function reportNames(
  webauthn: Pick<WebauthnPort, 'signalDetails'>,
  user: User,
  session: Session | null,
): Promise<void> {
  if (!Array.isArray(session?.authentication_factors) || isImpersonated(session)) return;
  const handle = base64url(new TextEncoder().encode(user.user_id));
  const domains = new Set(user.webauthn_registrations?.map(({ domain }) => domain));
  await Promise.all([...domains].map(async (domain) => webauthn.signalDetails(domain, handle, namesOf(user))));
}
