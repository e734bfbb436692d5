import { combineLatest, distinctUntilChanged, filter, map, type Observable } from 'rxjs';
import { isOwnEndpoint } from '#domain/project/endpoints.ts';
import { endsSession } from '#domain/sessions/session.ts';
import type { AsyncMethods } from '#domain/later.ts';
import type { SessionLifecycle } from '../../session/session-lifecycle.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { SessionWatch } from '../../session/session-watch.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { Project } from '../project/project.ts';

/** The sources that show who is signed in. */
export interface PresentUserServices {
  readonly wire: WireClient;
  readonly project: Project;
  readonly sessions: SessionStore;
  readonly lifecycle: AsyncMethods<SessionLifecycle>;
  readonly refresher: Pick<SessionWatch, 'checking$'>;
}

/** The user of the session, once it is known, and whenever it changes; null for none. */
export function presentUser({ sessions, refresher }: Pick<PresentUserServices, 'sessions' | 'refresher'>) {
  return combineLatest([sessions.session$, refresher.checking$]).pipe(
    filter(([session, checking]) => session !== null || !checking),
    map(([session]) => session?.user_id ?? null),
    distinctUntilChanged(),
    map((person) => ({ type: 'person', person }) as const),
  ) satisfies Observable<unknown>;
}

/** Looks for a session that only the server can see: its tokens may be in HttpOnly cookies if the host or project has its own endpoint. */
export async function findHiddenSession({
  sessions,
  lifecycle,
  project,
  wire,
}: Omit<PresentUserServices, 'refresher'>): Promise<void> {
  if (sessions.mayBeSignedIn()) return;
  const isOwn = isOwnEndpoint(wire.origin) || (await project.bootstrap()).cnameDomain !== null;
  if (isOwn) await lifecycle.authenticate().catch(() => undefined);
}

/** After a refusal of the session itself, requests the session from the server. If it is over, it ends here, too. */
export function endIfOver({ lifecycle }: Pick<PresentUserServices, 'lifecycle'>, error: unknown): void {
  if (endsSession(error)) void lifecycle.authenticate().catch(() => undefined);
}
