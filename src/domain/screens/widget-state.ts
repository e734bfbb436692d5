import { DEFAULT_BOOTSTRAP, type Bootstrap } from '../bootstrap.ts';
import type { AuthError } from '../errors.ts';
import type { Intent, WidgetEvent } from './event.ts';
import { INITIAL_SCREEN, nextScreen } from './transitions.ts';
import type { Screen } from './screen.ts';

/** A short message that comes and goes by itself. */
export interface Toast {
  readonly id: number;
  readonly kind: 'success' | 'error';
  readonly error: AuthError | null;
}

/** At most this many at once (specification, section 9); the oldest goes first. */
export const MAX_TOASTS = 20;
export const ERROR_TOAST_MS = 4_000;
export const SUCCESS_TOAST_MS = 2_000;

/** Everything a widget shows. */
export interface WidgetState {
  readonly screen: Screen;
  /** What went wrong last, until the person acts again. */
  readonly error: AuthError | null;
  /** What the person asked for and is waiting on. */
  readonly pending: Pending | null;
  /** The generic loading cover. */
  readonly loading: boolean;
  readonly bootstrap: Bootstrap;
  readonly toasts: readonly Toast[];
  readonly lastToastId: number;
}

export type Pending = Extract<
  Intent['type'],
  'magicLink/requested' | 'otp/requested' | 'otp/codeEntered' | 'otp/resendRequested'
>;

export const INITIAL_STATE: WidgetState = Object.freeze({
  screen: INITIAL_SCREEN,
  error: null,
  pending: null,
  loading: false,
  bootstrap: DEFAULT_BOOTSTRAP,
  toasts: [],
  lastToastId: 0,
});

function withToast(state: WidgetState, kind: Toast['kind'], error: AuthError | null): WidgetState {
  const id = state.lastToastId + 1;
  return { ...state, toasts: [...state.toasts, { id, kind, error }].slice(-MAX_TOASTS), lastToastId: id };
}

function around(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.type) {
    case 'magicLink/requested':
    case 'otp/requested':
    case 'otp/codeEntered':
      return { ...state, pending: event.type, error: null };
    case 'otp/resendRequested':
      return { ...state, pending: event.type };
    case 'otp/codeEdited':
      return state.error === null ? state : { ...state, error: null };
    case 'magicLink/sent':
    case 'otp/sent':
    case 'otp/resent':
    case 'otp/verified':
    case 'magicLink/tryAgain':
    case 'back':
    case 'session/appeared':
      return { ...state, pending: null, error: null };
    case 'failed':
      if (state.pending !== event.asked.type) return state;
      return event.asked.type === 'otp/resendRequested'
        ? withToast({ ...state, pending: null }, 'error', event.error)
        : { ...state, pending: null, error: event.error };
    case 'bootstrap/loaded':
      return { ...state, bootstrap: event.bootstrap };
    case 'session/checking':
      return state.loading === event.checking ? state : { ...state, loading: event.checking };
    case 'toast/dismissed':
      return { ...state, toasts: state.toasts.filter((toast) => toast.id !== event.id) };
  }
}

/** The state after the event. A state that nothing changed in is the same object. */
export function reduce(state: WidgetState, event: WidgetEvent): WidgetState {
  const screen = nextScreen(state.screen, event);
  const next = around(state, event);
  return screen === next.screen ? next : { ...next, screen };
}
