import type { WidgetEvent } from './screens/event.ts';
import type { Screen } from './screens/screen.ts';
import type { LoginConfig } from './widget-config.ts';

/** A named event for the server's event log (specification, section 7). Its details hold no secret. */
export interface LoggedEvent {
  readonly name: 'render_login_screen' | 'render_idp_screen' | 'email_sent' | 'email_try_again_clicked';
  readonly details: Readonly<Record<string, unknown>>;
}

const MAGIC_LINK_TYPE = 'login_or_create_eml';
const RESET_TYPE = 'reset_password';

/** What to log of an event, or null. `from` is the screen that it happened on. */
export function loggedEvent(event: WidgetEvent, from: Screen, config: LoginConfig): LoggedEvent | null {
  switch (event.type) {
    case 'bootstrap/loaded':
      if (from.name.startsWith('PasskeyRegistration')) return null;
      return {
        name: from.name === 'IDPConsent' ? 'render_idp_screen' : 'render_login_screen',
        details: { options: config, bootstrap: event.bootstrap },
      };
    case 'magicLink/sent':
      return { name: 'email_sent', details: { email: event.email, type: MAGIC_LINK_TYPE } };
    case 'password/passwordlessSent':
      return event.message.kind === 'link'
        ? { name: 'email_sent', details: { email: event.email, type: MAGIC_LINK_TYPE } }
        : null;
    case 'password/resetMailed':
      return { name: 'email_sent', details: { email: event.email, type: RESET_TYPE } };
    case 'password/resent':
      return 'email' in from ? { name: 'email_sent', details: { email: from.email, type: RESET_TYPE } } : null;
    case 'magicLink/tryAgain':
      return from.name === 'EmailConfirmation'
        ? { name: 'email_try_again_clicked', details: { email: from.email, type: MAGIC_LINK_TYPE } }
        : null;
    default:
      return null;
  }
}
