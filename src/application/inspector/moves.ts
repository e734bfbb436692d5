import type { ResetMailScreen, WidgetEvent } from '#domain/screens/event.ts';
import type { Screen, ScreenName } from '#domain/screens/screen.ts';
import { eventsOf, nextScreen } from '#domain/screens/transitions.ts';

/** An event that the transition table lists for a screen, and its possible next screens. */
export interface StateMove {
  readonly event: WidgetEvent['type'];
  readonly to: readonly ScreenName[];
}

const AFTER_RESET_MAIL: readonly ResetMailScreen[] = [
  'PasswordForgot',
  'PasswordDedupe',
  'PasswordBreached',
  'PasswordSetNew',
];

/** An event with every field that the table reads, so that the next screen can be computed from the table. */
function sample(type: WidgetEvent['type'], to: ResetMailScreen): WidgetEvent {
  const otp = { type: 'email', methodId: '', destination: '', expiresAt: 0 };
  const fields = {
    email: '',
    otp,
    to,
    reason: 'required',
    userType: 'new',
    wallet: 'metamask',
    message: { kind: 'link' },
  };
  const failed = { asked: { type: 'wallet/chosen' } };
  return { type, ...fields, ...failed } as unknown as WidgetEvent;
}

/** The transitions that the table lists for a screen. Consent and the account page have no next screen. */
export function movesFrom(screen: Screen): readonly StateMove[] {
  return eventsOf(screen.name).map((event) => {
    const screens = AFTER_RESET_MAIL.map((to) => nextScreen(screen, sample(event, to)).name);
    return { event, to: [...new Set(screens)] };
  });
}
