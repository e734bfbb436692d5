import type { Intent } from './event.ts';
import type { WidgetState } from './widget-state.ts';

/** Whether an intent has nothing left to act on: its target is gone or already as asked, and only its button still shows. */
export function isStaleIntent({ screen, consent, passkeys }: WidgetState, intent: Intent): boolean {
  switch (intent.type) {
    case 'passkey/skipped':
      return screen.name !== 'PasskeyRegistrationStart';
    case 'passkey/renamed':
      return (
        passkeys?.some((each) => each.webauthn_registration_id === intent.id && each.name !== intent.name) !== true
      );
    case 'passkey/deleted':
      return passkeys?.some((each) => each.webauthn_registration_id === intent.id) !== true;
    case 'consent/allowed':
    case 'consent/denied':
    case 'consent/switched':
      return consent.status !== 'consentRequired';
    case 'consent/retried':
      return consent.status !== 'error';
    case 'logout/confirmed':
    case 'logout/refused':
      return consent.status !== 'confirmLogout';
    default:
      return false;
  }
}
