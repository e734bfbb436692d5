import type { EventOf, WidgetEvent } from './event.ts';
import type { Screen, ScreenName, ScreenOf } from './screen.ts';

/** Outcomes and moves that can change the screen. The others change only what stands around it. */
type Moving = Exclude<
  WidgetEvent['type'],
  | 'magicLink/requested'
  | 'otp/requested'
  | 'otp/codeEntered'
  | 'otp/codeEdited'
  | 'otp/resendRequested'
  | 'toast/dismissed'
  | 'bootstrap/loaded'
  | 'session/checking'
  | 'failed'
>;

type Row<Name extends ScreenName> = {
  readonly [Type in Moving]?: (from: ScreenOf<Name>, event: EventOf<Type>) => Screen;
};

export const INITIAL_SCREEN: ScreenOf<'Main'> = { name: 'Main', email: '' };

const toComplete = (): ScreenOf<'AuthenticateFlowComplete'> => ({ name: 'AuthenticateFlowComplete' });

/**
 * Which event leads from which screen to which (specification, section 4). An event that a row does not list leaves
 * the screen as it is, so that a late answer moves nobody.
 */
const TABLE: { readonly [Name in ScreenName]: Row<Name> } = {
  Main: {
    'magicLink/sent': (_, { email }) => ({ name: 'EmailConfirmation', email }),
    'otp/sent': (_, { otp }) => ({ name: 'OTPAuthenticate', otp }),
    'session/appeared': toComplete,
  },
  EmailConfirmation: {
    'magicLink/tryAgain': () => INITIAL_SCREEN,
    'session/appeared': toComplete,
    back: () => INITIAL_SCREEN,
  },
  OTPAuthenticate: {
    'otp/verified': () => ({ name: 'OTPConfirmation' }),
    'otp/resent': (from, { otp }) => ({ ...from, otp }),
    'session/appeared': toComplete,
    back: ({ otp }) => ({ name: 'Main', email: otp.type === 'email' ? otp.destination : '' }),
  },
  OTPConfirmation: {},
  AuthenticateFlowComplete: {},
};

/** The screen after the event. */
export function nextScreen(screen: Screen, event: WidgetEvent): Screen {
  const row = TABLE[screen.name] as Readonly<Record<string, unknown>>;
  const move = Object.hasOwn(row, event.type) ? row[event.type] : undefined;
  return typeof move === 'function' ? (move as (from: Screen, event: WidgetEvent) => Screen)(screen, event) : screen;
}
