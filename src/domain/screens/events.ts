import type { Consent } from '../consent/consent.ts';
import type { WebauthnRegistration } from '../users/user.ts';
import type { EventType, HostEvent } from '../widget/host-events.ts';
import type { EventOf, Intent, WidgetEvent } from './event.ts';
import { COMPLETE } from './first-state.ts';
import { interrupts } from './submits.ts';
import type { Screen, ScreenName } from './screen.ts';
import type { WidgetState } from './widget-state.ts';

/** The part of a widget's state that decides whether an intent is too late. */
interface TargetState {
  readonly screen: Screen;
  readonly consent: Consent;
  readonly passkeys: readonly WebauthnRegistration[] | null | undefined;
}

/** The properties of an event; missing ones are false. Without a type argument, it is the row of any event. */
interface EventRow<Event extends WidgetEvent = never> {
  /** The request signs the user in, and reports the sign-in itself. */
  readonly signsIn?: true;
  /** The event ends the pending request: it succeeded, or the person left it. */
  readonly settles?: true;
  /** The event log records it. */
  readonly logged?: true;
  /** The secret field of the intent, which is not passed to the event log. */
  readonly secret?: 'code' | 'password';
  /** The host's event: its name, if the data is the reply or empty; else a function that creates the events. */
  readonly host?: EventType | ((event: Event, screen: ScreenName) => readonly HostEvent[]);
  /** Its reply is a login's reply. */
  readonly login?: true;
  /** True if the intent is too late: its target is gone or already as requested, and only its button is still shown. */
  readonly isStale?: (state: TargetState, intent: Event) => boolean;
}

const ALLOWED = 'OAUTH_AUTHORIZE_FLOW_COMPLETE';
const DENIED = 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED';
const linkSent = ({ reply, email }: Pick<EventOf<'magicLink/sent'>, 'reply' | 'email'>): readonly HostEvent[] => [
  { type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...reply, email } },
];
const passwordlessSent = (event: EventOf<'password/passwordlessSent'>): readonly HostEvent[] =>
  event.message.kind === 'link' ? linkSent(event) : [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];

const SUBMITS_PASSWORD = { signsIn: true, secret: 'password' } as const;
const RESENDS = { logged: true } as const;
const SETTLES = { settles: true } as const;
const SENDS_OTP = { settles: true, logged: true, host: 'OTP_LOGIN_OR_CREATE' } as const;
const SENDS_RESET = { settles: true, logged: true, host: 'PASSWORD_RESET_BY_EMAIL_START' } as const;
const isDecided = ({ consent }: TargetState): boolean => consent.status !== 'consentRequired';
const ANSWERS = { isStale: isDecided } as const;
const isAnswered = ({ consent }: TargetState): boolean => consent.status !== 'confirmLogout';

/** The events without properties. They are only a type, because their rows would be empty. */
type PlainEvent =
  | 'magicLink/requested'
  | 'otp/requested'
  | 'phone/requested'
  | 'password/emailEntered'
  | 'password/forgotten'
  | 'password/passwordlessRequested'
  | 'password/insteadRequested'
  | 'oauth/chosen'
  | 'wallet/chosen'
  | 'passkey/chosen'
  | 'passkey/createRequested'
  | 'bootstrap/changed'
  | 'session/checking'
  | 'otp/codeEdited'
  | 'form/edited'
  | 'phone/edited'
  | 'phone/formatted'
  | 'password/userFound'
  | 'password/estimated'
  | 'password/checked'
  | 'password/resetKnown'
  | 'password/resetSpent'
  | 'oauth/declined'
  | 'oneTap/requested'
  | 'oneTap/removed'
  | 'oneTap/changed'
  | 'wallets/detected'
  | 'passkey/autofillReady'
  | 'passkey/autofillKnown'
  | 'passkey/used'
  | 'passkey/offered'
  | 'passkey/offerEnded'
  | 'passkey/creationKnown'
  | 'passkeys/known'
  | 'account/opened'
  | 'account/closed'
  | 'account/edited'
  | 'account/wayChosen'
  | 'account/retried'
  | 'account/changed'
  | 'tab/chosen'
  | 'toast/dismissed'
  | 'session/gone'
  | 'wallet/signed'
  | 'account/asked'
  | 'account/proven'
  | 'factor/opened'
  | 'factor/asked'
  | 'factor/edited'
  | 'factor/trusted'
  | 'factor/retried'
  | 'factor/lacking'
  | 'factor/changed';

/** The other events with their properties. An event that has no row and is not among the plain ones is a compile error. */
const EVENTS = {
  'magicLink/tryAgain': { settles: true, logged: true },
  'magicLink/sent': { settles: true, logged: true, host: linkSent },
  'otp/codeEntered': { signsIn: true, secret: 'code' },
  'otp/resendRequested': RESENDS,
  'otp/sent': SENDS_OTP,
  'otp/resent': SENDS_OTP,
  'otp/verified': { settles: true, login: true, host: 'OTP_AUTHENTICATE' },
  'phone/invalid': SETTLES,
  'password/edited': { secret: 'password' },
  'password/createRequested': SUBMITS_PASSWORD,
  'password/created': { settles: true, login: true, host: 'PASSWORD_CREATE' },
  'password/loginRequested': SUBMITS_PASSWORD,
  'password/loggedIn': { settles: true, login: true, host: 'PASSWORD_AUTHENTICATE' },
  'password/passwordlessSent': { settles: true, logged: true, host: passwordlessSent },
  'password/resetMailed': SENDS_RESET,
  'password/resendRequested': RESENDS,
  'password/resent': SENDS_RESET,
  'password/resetSubmitted': SUBMITS_PASSWORD,
  'password/reset': { settles: true, login: true, host: 'PASSWORD_RESET_BY_EMAIL' },
  'resetLink/opened': { signsIn: true },
  'resetLink/verified': { settles: true, host: () => [COMPLETE] },
  'wallet/othersOpened': SETTLES,
  'wallet/setupOpened': SETTLES,
  'wallet/verified': { settles: true, login: true, host: 'CRYPTO_WALLET_AUTHENTICATE' },
  'passkey/verified': { settles: true, login: true, host: 'PASSKEY_AUTHENTICATE' },
  'passkey/cancelled': SETTLES,
  'passkey/registered': { settles: true, host: 'PASSKEY_REGISTER' },
  'passkey/anotherRequested': SETTLES,
  'passkey/skipped': {
    settles: true,
    host: 'PASSKEY_SKIP',
    isStale: ({ screen }) => screen.name !== 'PasskeyRegistrationStart' && screen.name !== 'PasskeyOffer',
  },
  'passkey/renamed': {
    isStale: ({ passkeys }, { id, name }) =>
      !passkeys?.some((each) => each.webauthn_registration_id === id && each.name !== name),
  },
  'passkey/deleted': {
    isStale: ({ passkeys }, { id }) => !passkeys?.some((each) => each.webauthn_registration_id === id),
  },
  'consent/allowed': ANSWERS,
  'consent/denied': ANSWERS,
  'consent/switched': ANSWERS,
  'consent/retried': { isStale: ({ consent }) => consent.status !== 'error' },
  'consent/changed': SETTLES,
  'consent/completed': { settles: true, host: ALLOWED },
  'consent/refused': { settles: true, host: DENIED },
  'device/codeEntered': { secret: 'code', isStale: ({ consent }) => consent.status !== 'deviceCode' },
  'logout/confirmed': { isStale: isAnswered },
  'logout/refused': { isStale: isAnswered },
  'wallet/connected': { host: 'CRYPTO_WALLET_AUTHENTICATE_START' },
  'passkey/done': { host: 'PASSKEY_DONE' },
  'consent/started': {
    host: ({ client_id, redirect_uri, scope }) => [
      { type: 'OAUTH_AUTHORIZE_FLOW_START', data: { client_id, redirect_uri, scope } },
    ],
  },
  'account/done': { host: ({ change }) => [{ type: 'ACCOUNT_CHANGED', data: { change } }] },
  'factor/required': SETTLES,
  'factor/first': { host: ({ reports }) => reports },
  'factor/verified': { login: true, host: 'SECOND_FACTOR_AUTHENTICATE' },
  'consent/decided': { host: ({ granted }) => [{ type: granted ? ALLOWED : DENIED, data: {} }] },
  back: SETTLES,
  'page/returned': SETTLES,
  'bootstrap/loaded': { logged: true },
  'session/appeared': { settles: true, host: (_, screen) => (screen === 'AuthenticateFlowComplete' ? [COMPLETE] : []) },
  reported: { logged: true },
  failed: { logged: true },
} as const satisfies { readonly [Type in Exclude<WidgetEvent['type'], PlainEvent>]: EventRow<EventOf<Type>> };

type TypeWith<Property extends keyof EventRow<WidgetEvent>> = {
  [Type in keyof typeof EVENTS]: (typeof EVENTS)[Type] extends Readonly<Record<Property, true>> ? Type : never;
}[keyof typeof EVENTS];

/** The events that the event log records. */
export type LoggableEvent = EventOf<TypeWith<'logged'>>;

/** The properties of an event. */
export const rowOf = (type: WidgetEvent['type']): EventRow => (EVENTS as Partial<Record<string, EventRow>>)[type] ?? {};

/** True if the intent must be dropped: it would interrupt a pending request, or it is too late. */
export function isHeldBack(state: WidgetState, intent: WidgetEvent): boolean {
  const { isStale } = rowOf(intent.type);
  return (state.pending !== null && interrupts(intent.type)) || isStale?.(state, intent as never) === true;
}

/**
 * True while the pending reply signs the user in. A wallet or a passkey prompt can stay open for long, so only its signed result counts.
 */
export const isSigningIn = ({ screen, pending, passkeyUsed }: WidgetState): boolean =>
  screen.name === 'CryptoSignMessage'
    ? screen.isSigned
    : screen.name === 'SecondFactor'
      ? screen.flow.at === 'working'
      : passkeyUsed || (pending !== null && rowOf(pending).signsIn === true);

/** The event for the event log, without the secret of a failed intent; null if the log does not record it. */
export function loggable(event: WidgetEvent): LoggableEvent | null {
  if (!rowOf(event.type).logged) return null;
  return (event.type === 'failed' ? { ...event, asked: withoutSecret(event.asked) } : event) as LoggableEvent;
}

function withoutSecret(intent: Intent): Intent {
  const { secret } = rowOf(intent.type);
  return secret ? { ...intent, [secret]: '' } : intent;
}
