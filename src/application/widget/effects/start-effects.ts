import { distinctUntilChanged, filter, map, Observable, skip } from 'rxjs';
import { sameJson } from '../../../domain/json.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { Project } from '../../use-cases/project.ts';
import type { Pending, WidgetState } from '../../../domain/screens/widget-state.ts';
import type { Effect } from '../widget-store.ts';

/** Brings in what the server says of the project, and what it says later; the widget shows itself before. */
export function bootstrapEffect(project: Project): Effect {
  return ({ getState }) =>
    new Observable((subscriber) => {
      const bring = async (): Promise<void> => {
        subscriber.next({ type: 'bootstrap/loaded', bootstrap: await project.bootstrap() });
        subscriber.add(
          project.told$.subscribe(({ bootstrap }) => {
            if (bootstrap !== null && !sameJson(bootstrap, getState().bootstrap))
              subscriber.next({ type: 'bootstrap/changed', bootstrap });
          }),
        );
      };
      void bring();
    });
}

/** What signs somebody in, and then leads to a success of its own. */
const SIGNS_IN: ReadonlySet<Pending | null> = new Set<Pending>([
  'otp/codeEntered',
  'password/createRequested',
  'password/loginRequested',
  'password/resetSubmitted',
  'resetLink/opened',
]);

/** A wallet or a passkey is long waited for; only what was signed signs in. */
const isSigningIn = ({ screen, pending, passkeyUsed }: WidgetState): boolean =>
  screen.name === 'CryptoSignMessage' ? screen.isSigned : passkeyUsed || SIGNS_IN.has(pending);

/**
 * Notices that somebody became signed in by another way than what is being verified here, at the latest when the host that
 * heard of it first takes the widget away; and that nobody is any more.
 */
export function signedInEffect(sessions: SessionStore): Effect {
  return ({ getState, leaves$ }) =>
    new Observable((looks) => {
      sessions.session$.subscribe(looks);
      leaves$.subscribe(looks);
    }).pipe(
      map(() => sessions.state().session !== null),
      distinctUntilChanged(),
      skip(1),
      filter((present) => !present || !isSigningIn(getState())),
      map((present) => ({ type: present ? 'session/appeared' : 'session/gone' })),
    );
}

/** Covers the widget while a session that was found here is checked for the first time. */
export function checkingEffect(checking$: Observable<boolean>): Effect {
  return () => checking$.pipe(map((checking) => ({ type: 'session/checking', checking })));
}
