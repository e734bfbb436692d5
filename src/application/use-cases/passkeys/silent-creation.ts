/** Passkeys that a browser creates automatically. The code is loaded with the first, because few logins end with one. */
import { webauthn, type ReplyFor } from '../../api/index.ts';
import type { WebauthnPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import { withoutPrfResults } from '#domain/prf.ts';
import { reportRefused } from './passkey-reports.ts';

interface SilentCreationServices {
  readonly wire: Pick<WireClient, 'call'>;
  readonly sessions: Pick<SessionStore, 'state' | 'update'>;
  readonly authenticator: Pick<WebauthnPort, 'isCapable' | 'create' | 'signalUnknown'>;
}

/** The same rejection as that of a browser without the ceremony. */
class NotSupportedError extends Error {
  override readonly name = 'NotSupportedError';
}

/**
 * Registers a passkey that the browser creates automatically (WebAuthn Level 3, section 5.1.3). If the browser cannot do this, rejects with
 * a `NotSupportedError` before any request. A passkey that the server refuses is reported as unknown.
 */
export async function createSilently(
  { wire, sessions, authenticator }: SilentCreationServices,
  body: { readonly domain: string },
  signal: AbortSignal | undefined,
): Promise<ReplyFor<typeof webauthn.register>> {
  if (!(await authenticator.isCapable('conditionalCreate'))) {
    throw new NotSupportedError('This browser makes no passkey without a question');
  }
  const { public_key_credential_creation_options: creationOptions } = await wire.call(webauthn.registerStart, body, {
    signal,
  });
  const public_key_credential = withoutPrfResults(await authenticator.create(creationOptions, signal, 'conditional'));
  try {
    const reply = await wire.call(webauthn.register, { public_key_credential, is_passkey: true });
    // Nobody waits for the reply, so the user may have signed out meanwhile.
    const isCurrent = sessions.state().session?.session_id === reply.session?.session_id;
    return isCurrent ? sessions.update(reply) : reply;
  } catch (error) {
    await reportRefused(authenticator, creationOptions, { credential: public_key_credential, error });
    throw error;
  }
}
