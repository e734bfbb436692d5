import type { WidgetEvent } from './event.ts';

/** The requests that the person waits for on an unchanged screen. While one is pending, no other is sent. */
const REQUESTS = [
  'magicLink/requested',
  'otp/requested',
  'otp/codeEntered',
  'phone/requested',
  'password/emailEntered',
  'password/createRequested',
  'password/loginRequested',
  'password/forgotten',
  'password/passwordlessRequested',
  'password/insteadRequested',
  'password/resetSubmitted',
  'resetLink/opened',
  'oauth/chosen',
  'passkey/chosen',
  'passkey/createRequested',
  'consent/allowed',
  'consent/denied',
  'consent/switched',
  'device/codeEntered',
  'logout/confirmed',
] as const satisfies readonly WidgetEvent['type'][];
/** Requests beside the form. Their progress and errors show in a toast, so that the form does not change. */
const ASIDES = ['otp/resendRequested', 'password/resendRequested'] as const satisfies readonly WidgetEvent['type'][];
/** The request with a separate screen for its progress. */
const WALLET = 'wallet/chosen';
/** The intents that change the screen immediately, so they must not interrupt a pending request. */
const LEAVING = [
  'wallet/othersOpened',
  'wallet/setupOpened',
  'logout/refused',
] as const satisfies readonly WidgetEvent['type'][];
/** The events without an intent that need no effect to be loaded. */
const BACKGROUND = [
  'bootstrap/loaded',
  'bootstrap/changed',
  'session/checking',
  'failed',
] as const satisfies readonly WidgetEvent['type'][];

/** The requests that the person waits for. */
export type PendingSubmit = (typeof REQUESTS | typeof ASIDES)[number] | typeof WALLET;

type Type = WidgetEvent['type'];
const isOf = (types: readonly Type[], type: Type): boolean => types.includes(type);

/** True for a request that shows only in its button: the screen stays. */
export const isPlainSubmit = (type: Type): boolean => isOf(REQUESTS, type);
export const isBackground = (type: Type): boolean => isOf(BACKGROUND, type);
export const isAside = (type: Type): boolean => isOf(ASIDES, type);
export const isSubmit = (type: Type): type is PendingSubmit => type === WALLET || isAside(type) || isPlainSubmit(type);
/** True for an intent that is dropped while a request is pending. */
export const interrupts = (type: Type): boolean => isSubmit(type) || isOf(LEAVING, type);
