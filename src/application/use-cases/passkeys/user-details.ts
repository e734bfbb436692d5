import { base64url } from '../../../domain/encoding.ts';
import { namesOf } from '../../../domain/passkeys/user-names.ts';
import { isImpersonated } from '../../../domain/rules/factors.ts';
import type { WebauthnPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';

/**
 * Reports the user's names to the passkey provider (WebAuthn Level 3, section 5.1.10.3) after a login, and when the name or address of the
 * user changes, here or in another tab. The session that a page finds at its start is no login. An impersonator's browser gets no
 * report. The handle of a passkey that was made with `override_id` is another one, so its names stay.
 */
export function reportUserDetails(
  sessions: Pick<SessionStore, 'mayBeSignedIn' | 'state' | 'user$'>,
  webauthn: Pick<WebauthnPort, 'signalDetails'>,
): void {
  /** What the passkey provider was last told, or may know already; null when the next user was never compared. */
  let known: string | null = null;
  const compare = (): void => {
    const { user, session } = sessions.state();
    if (user === null || session === null) {
      if (!sessions.mayBeSignedIn()) known = '';
      return;
    }
    const names = namesOf(user);
    const now = JSON.stringify([user.user_id, names]);
    const isNew = known !== null && known !== now;
    known = now;
    if (!isNew || !Array.isArray(session.authentication_factors) || isImpersonated(session)) return;
    const handle = base64url(new TextEncoder().encode(user.user_id));
    for (const domain of new Set(user.webauthn_registrations?.map((each) => each.domain))) {
      // Without the adapter's code there is no signal, which is only a hint.
      void webauthn.signalDetails(domain, handle, names).catch(() => undefined);
    }
  };
  sessions.user$.subscribe(compare);
}
