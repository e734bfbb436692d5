/** Signs up with a passkey alone. The code is loaded with the first. */
import { takeUntil, type Observable } from 'rxjs';
import { creationError } from '../../../../domain/passkeys/passkey.ts';
import type { EventOf, Outcome } from '../../../../domain/screens/event.ts';
import { sessionMinutes, type LoginConfig } from '../../../../domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { EffectContext } from '../../widget-store.ts';
import { ofType, working } from '../attempt.ts';

/** The outcomes of a sign-up, as of a login with a passkey. `PASSKEY_REGISTER` comes before the events of that login. Back ends it. */
export function signUp(
  { passkeys }: Services<'passkeys'>,
  config: LoginConfig,
  { events$, late }: EffectContext,
  asked: EventOf<'passkey/createRequested'>,
): Observable<Outcome> {
  return working<Outcome>(async (tell, signal) => {
    try {
      const reply = await passkeys.register({
        is_passkey: true,
        sign_up_email: asked.email,
        session_duration_minutes: sessionMinutes(config),
        signal,
        // From here on the session that begins is this one.
        onCreated: () => tell({ type: 'passkey/used' }),
      });
      tell({ type: 'passkey/registered', reply });
      tell({ type: 'passkey/verified', reply });
    } catch (error) {
      tell({ type: 'failed', asked, error: creationError(error) });
    }
  }, late).pipe(takeUntil(ofType(events$, 'back')));
}
