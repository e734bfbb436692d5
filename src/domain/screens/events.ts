import type { Consent } from '../consent/consent.ts';
import type { WebauthnRegistration } from '../users/user.ts';
import type { EventType, HostEvent } from '../widget/host-events.ts';
import type { EventOf, Intent, WidgetEvent } from './event.ts';
import type { Screen, ScreenName } from './screen.ts';

/** The part of a widget's state that decides whether an intent comes too late. */
interface TargetState {
  readonly screen: Screen;
  readonly consent: Consent;
  readonly passkeys: readonly WebauthnRegistration[] | null | undefined;
}

/** The properties of an event; one that is not given is false. Without an argument it is the row of any event. */
interface EventRow<Event extends WidgetEvent = never> {
  /** The person waits for the request. While one is pending, no other is sent. */
  readonly submits?: true;
  /** The request signs the user in, and reports that itself. */
  readonly signsIn?: true;
  /** The request is beside the form. Its progress and errors show in a toast, so that the form does not change. */
  readonly aside?: true;
  /** It ends the pending request: that succeeded, or the person left it. */
  readonly settles?: true;
  /** The intent changes the screen at once, so it must not interrupt a pending request. */
  readonly leaves?: true;
  /** It comes without an intent, and no effect needs to be loaded for it. */
  readonly background?: true;
  /** The event log records it. */
  readonly logged?: true;
  /** The field of the intent with a secret, which is not passed to the event log. */
  readonly secret?: 'code' | 'password';
  /** The host's event: its name, if the data is the reply or empty; else a function that makes the events. */
  readonly host?: EventType | ((event: Event, screen: ScreenName) => readonly HostEvent[]);
  /** Its reply is that of a login. */
  readonly login?: true;
  /** True when the intent comes too late: its target is gone or already as requested, and only its button is still shown. */
  readonly isStale?: (state: TargetState, intent: Event) => boolean;
}

/** The last host event of a login. */
export const COMPLETE: HostEvent = { type: 'AUTHENTICATE_FLOW_COMPLETE', data: {} };
const ALLOWED = 'OAUTH_AUTHORIZE_FLOW_COMPLETE';
const DENIED = 'OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED';
const linkSent = ({ reply, email }: Pick<EventOf<'magicLink/sent'>, 'reply' | 'email'>): readonly HostEvent[] => [
  { type: 'MAGIC_LINK_LOGIN_OR_CREATE', data: { ...reply, email } },
];
const passwordlessSent = (event: EventOf<'password/passwordlessSent'>): readonly HostEvent[] =>
  event.message.kind === 'link' ? linkSent(event) : [{ type: 'OTP_LOGIN_OR_CREATE', data: event.reply }];

const BACKGROUND = { background: true } as const;
const SUBMITS = { submits: true } as const;
const SUBMITS_PASSWORD = { submits: true, signsIn: true, secret: 'password' } as const;
const RESENDS = { submits: true, aside: true, logged: true } as const;
const SETTLES = { settles: true } as const;
const SENDS_OTP = { settles: true, logged: true, host: 'OTP_LOGIN_OR_CREATE' } as const;
const SENDS_RESET = { settles: true, logged: true, host: 'PASSWORD_RESET_BY_EMAIL_START' } as const;
const LEAVES_FORM = { settles: true, leaves: true } as const;
const isDecided = ({ consent }: TargetState): boolean => consent.status !== 'consentRequired';
const ANSWERS = { submits: true, isStale: isDecided } as const;
const isAnswered = ({ consent }: TargetState): boolean => consent.status !== 'confirmLogout';

/** The events without a property. They are a type, because a row of each would make a page's start larger. */
type PlainEvent =
  | 'otp/codeEdited'
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

/** The other events with their properties. An event without a row and not among the plain ones does not compile. */
const EVENTS = {
  'magicLink/requested': SUBMITS,
  'magicLink/tryAgain': { settles: true, logged: true },
  'magicLink/sent': { settles: true, logged: true, host: linkSent },
  'otp/requested': SUBMITS,
  'otp/codeEntered': { submits: true, signsIn: true, secret: 'code' },
  'otp/resendRequested': RESENDS,
  'otp/sent': SENDS_OTP,
  'otp/resent': SENDS_OTP,
  'otp/verified': { settles: true, login: true, host: 'OTP_AUTHENTICATE' },
  'phone/requested': SUBMITS,
  'phone/invalid': SETTLES,
  'password/emailEntered': SUBMITS,
  'password/edited': { secret: 'password' },
  'password/createRequested': SUBMITS_PASSWORD,
  'password/created': { settles: true, login: true, host: 'PASSWORD_CREATE' },
  'password/loginRequested': SUBMITS_PASSWORD,
  'password/loggedIn': { settles: true, login: true, host: 'PASSWORD_AUTHENTICATE' },
  'password/forgotten': SUBMITS,
  'password/passwordlessRequested': SUBMITS,
  'password/passwordlessSent': { settles: true, logged: true, host: passwordlessSent },
  'password/insteadRequested': SUBMITS,
  'password/resetMailed': SENDS_RESET,
  'password/resendRequested': RESENDS,
  'password/resent': SENDS_RESET,
  'password/resetSubmitted': SUBMITS_PASSWORD,
  'password/reset': { settles: true, login: true, host: 'PASSWORD_RESET_BY_EMAIL' },
  'resetLink/opened': { submits: true, signsIn: true },
  'resetLink/verified': { settles: true, host: () => [COMPLETE] },
  'oauth/chosen': SUBMITS,
  'wallet/chosen': SUBMITS,
  'wallet/othersOpened': LEAVES_FORM,
  'wallet/setupOpened': LEAVES_FORM,
  'wallet/verified': { settles: true, login: true, host: 'CRYPTO_WALLET_AUTHENTICATE' },
  'passkey/chosen': SUBMITS,
  'passkey/verified': { settles: true, login: true, host: 'PASSKEY_AUTHENTICATE' },
  'passkey/cancelled': SETTLES,
  'passkey/createRequested': SUBMITS,
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
  'device/codeEntered': { submits: true, secret: 'code', isStale: ({ consent }) => consent.status !== 'deviceCode' },
  'logout/confirmed': { submits: true, isStale: isAnswered },
  'logout/refused': { leaves: true, isStale: isAnswered },
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
  'bootstrap/loaded': { background: true, logged: true },
  'bootstrap/changed': BACKGROUND,
  'session/appeared': { settles: true, host: (_, screen) => (screen === 'AuthenticateFlowComplete' ? [COMPLETE] : []) },
  'session/checking': BACKGROUND,
  reported: { logged: true },
  failed: { background: true, logged: true },
} as const satisfies { readonly [Type in Exclude<WidgetEvent['type'], PlainEvent>]: EventRow<EventOf<Type>> };

type TypeWith<Property extends keyof EventRow<WidgetEvent>> = {
  [Type in keyof typeof EVENTS]: (typeof EVENTS)[Type] extends Readonly<Record<Property, true>> ? Type : never;
}[keyof typeof EVENTS];

/** The requests that the person waits for. */
export type PendingSubmit = TypeWith<'submits'>;
/** The events that the event log records. */
export type LoggableEvent = EventOf<TypeWith<'logged'>>;

/** The properties of an event. */
export const rowOf = (type: WidgetEvent['type']): EventRow => (EVENTS as Partial<Record<string, EventRow>>)[type] ?? {};

export const isSubmit = (type: WidgetEvent['type']): type is PendingSubmit => rowOf(type).submits ?? false;

/** The event for the event log, a failed intent without its secret; null if the log does not record it. */
export function loggable(event: WidgetEvent): LoggableEvent | null {
  if (!rowOf(event.type).logged) return null;
  return (event.type === 'failed' ? { ...event, asked: withoutSecret(event.asked) } : event) as LoggableEvent;
}

function withoutSecret(intent: Intent): Intent {
  const { secret } = rowOf(intent.type);
  return secret ? { ...intent, [secret]: '' } : intent;
}
