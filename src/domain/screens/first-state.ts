import type { HostEvent } from '../widget/host-events.ts';
import type { WidgetEvent } from './event.ts';
import { isPlainSubmit, type PendingSubmit } from './submits.ts';
import type { WidgetState } from './widget-state.ts';

/** The last host event of a login. */
export const COMPLETE: HostEvent = { type: 'AUTHENTICATE_FLOW_COMPLETE', data: {} };

const SETTLED = { pending: null, pendingIndex: null, error: null } as const;

/**
 * The state after an event that the start of a page handles itself, equal to the result of `reduce`. Null for every other event, which
 * waits for the code of `reduce`. The start shows that a request is in progress, that its code cannot be loaded, the project's settings,
 * and that the user is logged in.
 */
export function firstState(state: WidgetState, event: WidgetEvent): WidgetState | null {
  const isMain = state.screen.name === 'Main';
  switch (event.type) {
    case 'bootstrap/loaded':
    case 'bootstrap/changed':
      return { ...state, bootstrap: event.bootstrap };
    case 'session/checking':
      return state.loading === event.checking ? state : { ...state, loading: event.checking };
    case 'failed':
      return state.pending === event.asked.type
        ? { ...state, ...SETTLED, error: event.error, failed: event.asked.type }
        : state;
    case 'session/appeared':
      return isMain ? { ...state, ...SETTLED, screen: { name: 'AuthenticateFlowComplete' } } : null;
    case 'back':
      return isMain ? { ...state, ...SETTLED } : null;
    // The screen is loading, and the pressed button shows that.
    case 'wallet/othersOpened':
      return isMain ? { ...state, ...SETTLED, screen: { name: 'CryptoOtherScreen' } } : null;
    default:
      return isPlainSubmit(event.type)
        ? {
            ...state,
            pending: event.type as PendingSubmit,
            pendingIndex: event.type === 'oauth/chosen' ? event.index : null,
            error: null,
          }
        : null;
  }
}
