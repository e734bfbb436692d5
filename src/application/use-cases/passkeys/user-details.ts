import type { WebauthnPort } from '../../ports/index.ts';
import { codeLoad } from '#domain/code-loads.ts';
import type { SessionStore } from '../../session/session-store.ts';

/**
 * Reports the user's names to the passkey provider (WebAuthn Level 3, section 5.1.10.3) after a login, and when the name or an address of
 * the user changes, here or in another tab. A session that a page finds at its start does not count as a login.
 */
export function reportUserDetails(
  sessions: Pick<SessionStore, 'mayBeSignedIn' | 'state' | 'user$'>,
  webauthn: Pick<WebauthnPort, 'signalDetails'>,
): void {
  /** The details of the last user; undefined until the user at the page's start is known. */
  let lastDetails: string | undefined;
  sessions.user$.subscribe((user) => {
    const details = user ? JSON.stringify([user.user_id, user.name, user.emails, user.phone_numbers]) : '';
    if (user?.webauthn_registrations?.length && lastDetails !== undefined && lastDetails !== details) {
      // If its code cannot be loaded, there is no report, which is only a hint.
      void codeLoad(import('./passkey-reports.ts'))
        .then(async (reports) => reports.reportNames(webauthn, user, sessions.state().session))
        .catch(() => undefined);
    }
    if (user !== null || !sessions.mayBeSignedIn()) lastDetails = details;
  });
}
