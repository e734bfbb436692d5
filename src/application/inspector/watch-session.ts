import { localEnd, type Session } from '#domain/sessions/session.ts';
import { isRecord } from '#domain/shape.ts';
import type { RefreshRecord } from '../session/refresh-record.ts';
import type { Services } from '../services.ts';
import { deliveryMethod, factorType } from './field-rules.ts';
import { shapeOf } from './redacted-value.ts';
import type { SessionRecord, TraceLog } from './trace.ts';

/** A session's times by this client's clock, in milliseconds since 1970, and its factors by their types. */
export interface SessionTimes {
  readonly endsAt: number;
  /** When the session is refreshed next; null if no refresh is planned. */
  readonly nextRefreshAt: number | null;
  /** The number of consecutive failed refreshes. */
  readonly failures: number;
  readonly factors: readonly string[];
}

export interface WatchedSession {
  /** Null without a session. */
  times(): SessionTimes | null;
  end(): void;
}

/** Such as `otp by email`. */
function factorsOf({ authentication_factors: factors }: Session): readonly string[] {
  if (!Array.isArray(factors)) return [];
  return (factors as readonly unknown[]).map((factor) => {
    // An unexpected value from a server must not throw in the client's stream.
    if (!isRecord(factor)) return shapeOf(factor);
    const { type, delivery_method: method } = factor;
    return `${factorType(type) ?? shapeOf(type)} by ${deliveryMethod(method) ?? shapeOf(method)}`;
  });
}

/** Records when the session begins, changes and ends, and which tab refreshes it. */
export function watchSession(
  { sessions, clock }: Services<'sessions' | 'clock'>,
  refreshes: RefreshRecord,
  log: TraceLog,
  onDestroyed: () => void,
): WatchedSession {
  let latest: { readonly id: string; readonly endsAt: number } | null = null;
  let isFirst = true;

  const change = (session: Session | null): SessionRecord['change'] | null => {
    if (session === null) return latest === null ? null : 'ended';
    if (isFirst) return 'found';
    return latest?.id === session.session_id ? 'changed' : 'began';
  };
  const onSession = (session: Session | null): void => {
    const what = change(session);
    const now = clock.now();
    if (session === null) latest = null;
    // The age of a session that was found here is known only from its own times.
    else latest = { id: session.session_id, endsAt: isFirst ? Date.parse(session.expires_at) : localEnd(session, now) };
    isFirst = false;
    if (what === null) return;
    const left_ms = latest === null ? null : Math.round(latest.endsAt - now);
    log.add({ kind: 'session', change: what, factors: session === null ? [] : factorsOf(session), left_ms });
  };
  const following = sessions.session$.subscribe({ next: onSession, complete: onDestroyed });
  following.add(
    refreshes.claims$.subscribe(() => {
      if (refreshes.beingAskedMs(clock.now(), Infinity) !== null) log.add({ kind: 'refresh', by: 'another tab' });
    }),
  );

  return {
    times: () => {
      const { session } = sessions.state();
      if (session === null || latest === null) return null;
      const last = refreshes.read(clock.now());
      return {
        endsAt: latest.endsAt,
        nextRefreshAt: last?.next ?? null,
        failures: last?.failures ?? 0,
        factors: factorsOf(session),
      };
    },
    end: () => following.unsubscribe(),
  };
}
