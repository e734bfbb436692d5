import { distinctUntilChanged, filter, map, skip, type Observable } from 'rxjs';
import type { Project } from '../../use-cases/project.ts';
import type { Session } from '../../../domain/session.ts';
import type { Pending, WidgetState } from '../../../domain/screens/widget-state.ts';
import type { Effect } from '../widget-store.ts';
import { whenReady } from './when-ready.ts';

/** Brings in what the server says of the project; the widget shows itself before. */
export function bootstrapEffect(project: Project): Effect {
  return () => whenReady(async () => ({ type: 'bootstrap/loaded', bootstrap: await project.bootstrap() }));
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

/** Notices that somebody became signed in by another way than what is being verified here, and that nobody is any more. */
export function signedInEffect(session$: Observable<Session | null>): Effect {
  return ({ getState }) =>
    session$.pipe(
      map((session) => session !== null),
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
