import type { AuthError } from '../errors.ts';
import type { OneTapState } from '../social/one-tap.ts';
import type { PasswordCheck } from '../passwords/password-strength.ts';
import type { Intent, WidgetEvent } from './event.ts';
import { rowOf } from './events.ts';
import { isAside, isSubmit } from './submits.ts';
import { nextScreen } from './transitions.ts';
import type { Toast, WidgetState } from './widget-state.ts';

/** The maximum number of toasts (specification, section 9); the oldest is removed first. */
export const MAX_TOASTS = 20;
export const SUCCESS_TOAST_MS = 2_000;

function withToast(state: WidgetState, toast: Omit<Toast, 'id'>): WidgetState {
  const id = state.lastToastId + 1;
  return { ...state, toasts: [...state.toasts, { id, ...toast }].slice(-MAX_TOASTS), lastToastId: id };
}

/** Error toasts stay until the next submit, or until the screen changes. */
const withoutErrors = (toasts: readonly Toast[]): readonly Toast[] => toasts.filter(({ kind }) => kind !== 'error');

const OVER = { pending: null, pendingIndex: null, passkeyUsed: false } as const;
/** Ends the pending intent and removes its loading toast. */
const over = (state: WidgetState): WidgetState => {
  const toasts = state.toasts.filter(({ kind }) => kind !== 'loading');
  return { ...state, ...OVER, ...(toasts.length < state.toasts.length && { toasts }) };
};
const settled = (state: WidgetState): WidgetState => ({ ...over(state), error: null });

function failed(state: WidgetState, intent: Intent, error: AuthError): WidgetState {
  if (intent.type === 'password/edited') return aboutPassword(state, intent.check, { error });
  // An error shows only after the person has used the prompt; before that, the plain button replaces the prompt.
  const failure = { error, failed: intent.type };
  if (intent.type === 'oneTap/requested') return state.oneTap.status === 'leaving' ? { ...state, ...failure } : state;
  if (intent.type === 'passkey/renamed' || intent.type === 'passkey/deleted') return { ...state, ...failure };
  if (state.pending !== intent.type) return state;
  const after = over(state);
  return isAside(intent.type) ? withToast(after, { kind: 'error', error, text: null }) : { ...after, ...failure };
}

/** Adds a result to the check of the password. A result for an earlier edit is ignored. */
function aboutPassword(state: WidgetState, check: number, result: Partial<PasswordCheck>): WidgetState {
  return state.strength?.check === check ? { ...state, strength: { ...state.strength, ...result } } : state;
}

const endsWithItsPlace = ({ status }: OneTapState): boolean =>
  status === 'pending' || status === 'rendered' || status === 'leaving';

const unknownPhone = (edit: number): NonNullable<WidgetState['phone']> => ({ edit, formatted: null, invalid: false });

/** Updates the parts of the state that belong to one type of event. */
function parts(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.type) {
    case 'failed':
      return failed(state, event.asked, event.error);
    case 'bootstrap/loaded':
    case 'bootstrap/changed':
      return { ...state, bootstrap: event.bootstrap };
    case 'session/checking':
      return state.loading === event.checking ? state : { ...state, loading: event.checking };
    case 'otp/codeEdited':
    case 'form/edited':
    case 'tab/chosen':
    case 'passkey/renamed':
    case 'passkey/deleted':
      return state.error === null ? state : { ...state, error: null };
    case 'toast/dismissed':
      return { ...state, toasts: state.toasts.filter((toast) => toast.id !== event.id) };
    case 'password/userFound':
      // A user without a password gets the link or code automatically.
      if (event.userType !== 'passwordless') return settled(state);
      return state.screen.name === 'Main' ? { ...state, pending: 'password/passwordlessRequested' } : state;
    case 'password/passwordlessSent':
      return 'message' in state.screen && state.screen.message !== null
        ? withToast(state, { kind: 'success', error: null, text: 'emailResent' })
        : state;
    case 'password/resent':
      return withToast(state, { kind: 'success', error: null, text: 'emailResent' });
    case 'phone/edited':
      if (state.phone?.edit === event.edit) return state;
      // The error was about the number that was sent, not this one. The first event only reports that the code has arrived.
      return { ...state, phone: unknownPhone(event.edit), error: state.phone === null ? state.error : null };
    case 'phone/formatted':
      return state.phone?.edit === event.edit
        ? { ...state, phone: { ...state.phone, formatted: { text: event.text, country: event.country } } }
        : state;
    case 'phone/invalid':
      return {
        ...state,
        phone: { ...(state.phone?.edit === event.edit ? state.phone : unknownPhone(event.edit)), invalid: true },
      };
    case 'password/edited':
      return { ...state, strength: { check: event.check, estimate: null, strength: null, error: null } };
    case 'password/estimated':
      return aboutPassword(state, event.check, { estimate: event.score });
    case 'password/checked':
      return aboutPassword(state, event.check, { strength: event.strength });
    case 'wallets/detected':
      // A search whose code did not load has found nothing, which is not the same as no wallet.
      return event.error ? { ...state, error: event.error } : { ...state, wallets: event.wallets };
    case 'oauth/declined':
      return { ...state, declined: { provider: event.provider, reason: event.reason } };
    case 'oneTap/requested':
      return { ...state, oneTap: { status: 'pending' } };
    case 'oneTap/changed':
      return { ...state, oneTap: event.oneTap };
    case 'oneTap/removed':
      // A prompt that was cancelled or refused keeps its state, so that it is not shown again.
      return endsWithItsPlace(state.oneTap) ? { ...state, oneTap: { status: 'idle' } } : state;
    case 'page/returned':
      return state.oneTap.status === 'leaving' ? { ...state, oneTap: { status: 'cancelled' } } : state;
    case 'passkey/used':
      return { ...state, pending: 'passkey/chosen', passkeyUsed: true, error: null };
    case 'passkey/cancelled':
      return { ...state, passkeyNote: event.note };
    case 'passkey/autofillKnown':
      return { ...state, passkeyAutofill: event.supported };
    case 'passkeys/known':
      return { ...state, passkeys: event.passkeys };
    case 'account/changed':
      return { ...state, account: event.account };
    case 'consent/changed':
      return { ...state, consent: event.consent };
    default:
      return state;
  }
}

function around(state: WidgetState, event: WidgetEvent): WidgetState {
  if (isSubmit(event.type)) {
    const pendingIndex = event.type === 'oauth/chosen' ? event.index : null;
    const next = {
      ...state,
      pending: event.type,
      pendingIndex,
      declined: null,
      passkeyNote: null,
      toasts: withoutErrors(state.toasts),
    };
    // An intent beside the form has no button that could show its progress.
    return isAside(event.type)
      ? withToast(next, { kind: 'loading', error: null, text: null })
      : { ...next, error: null };
  }
  const next = parts(state, event);
  return rowOf(event.type).settles ? settled(next) : next;
}

/** The state after the event. When nothing changed, it is the same object. */
export function reduce(state: WidgetState, event: WidgetEvent): WidgetState {
  const screen = nextScreen(state.screen, event);
  const next = around(state, event);
  if (screen === next.screen) return next;
  // The checks of a password or telephone number belong to the screen on which it was typed.
  if (screen.name === next.screen.name) return { ...next, screen };
  return { ...next, screen, strength: null, phone: null, toasts: withoutErrors(next.toasts) };
}
