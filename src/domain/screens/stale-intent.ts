import type { Intent } from './event.ts';
import { isSubmit, type WidgetState } from './widget-state.ts';

/** True when the intent comes too late: its target is gone or already as asked, and only its button still shows. */
function isStale({ screen, consent, passkeys }: WidgetState, intent: Intent): boolean {
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

/** Intents that change the screen at once, so they must not interrupt a pending request. */
const LEAVES: ReadonlySet<string> = new Set<Intent['type']>([
  'wallet/othersOpened',
  'wallet/setupOpened',
  'logout/refused',
]);

/** True when the intent must be dropped: it would interrupt a pending request, or it is stale. */
export function isHeldBack(state: WidgetState, intent: Intent): boolean {
  const interrupts = state.pending !== null && (isSubmit(intent.type) || LEAVES.has(intent.type));
  return interrupts || isStale(state, intent);
}
