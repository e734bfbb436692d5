/** Signs up with only a passkey. The code is loaded with the first. */
import { isAuthError } from '#domain/errors.ts';
import { creationError, passkeyError, passkeyFailure } from '#domain/passkeys/passkey.ts';
import type { EventOf, Outcome } from '#domain/screens/event.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';

/** If the project does not allow it, the server has no such call. */
const NOT_ALLOWED = 'passkeyOptions.signUp has no effect: the project does not allow it (passkeys.sign_up).';

/** The outcomes of a sign-up are those of a password login. `PASSKEY_REGISTER` comes before the events of that login. */
export async function signUp(
  { passkeys, log }: Services<'passkeys' | 'log'>,
  config: LoginConfig,
  intent: EventOf<'passkey/createRequested'>,
  tell: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const reply = await passkeys.register({
      is_passkey: true,
      sign_up_email: intent.email,
      session_duration_minutes: sessionMinutes(config),
      extensions: config.passkeyOptions?.extensions,
      signal,
      // From here on, a session that begins comes from this sign-up.
      onCreated: () => tell({ type: 'passkey/used' }),
    });
    tell({ type: 'passkey/registered', reply });
    return { type: 'passkey/verified', reply };
  } catch (error) {
    if (isAuthError(error) && error.kind === 'api' && error.error_type === 'route_not_found') log.warn(NOT_ALLOWED);
    // The form is still there, and the person knows about a cancellation.
    if (passkeyFailure(error) !== 'cancelled') {
      return { type: 'failed', asked: intent, error: creationError(error, 'elsewhere') };
    }
    if (!signal.aborted) tell({ type: 'reported', error: passkeyError(error, 'user_cancel') });
    return { type: 'passkey/cancelled', note: null };
  }
}
