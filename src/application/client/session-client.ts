import type { Observable } from 'rxjs';
import type { AsyncMethods } from '#domain/later.ts';
import type { Session, SessionTokens } from '#domain/sessions/session.ts';
import { onLaterValue } from '../changes.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { SessionLifecycle } from '../session/session-lifecycle.ts';
import { checkArguments, isRecord } from '#domain/shape.ts';

/** The part of `client.session` that is loaded with the page. */
export class SessionClient {
  /** The session now, then every change. */
  readonly session$: Observable<Session | null>;

  constructor(
    private readonly lifecycle: AsyncMethods<SessionLifecycle>,
    private readonly store: SessionStore,
  ) {
    this.session$ = store.session$;
  }

  /** The session as stored in this browser. */
  getSync(): Session | null {
    return this.store.state().session;
  }

  /** Like `getSync`, with `fromCache`: whether the server has yet to confirm the session in this page. */
  getInfo(): { readonly session: Session | null; readonly fromCache: boolean } {
    const { session, fromCache } = this.store.state();
    return { session, fromCache };
  }

  /** The session's tokens; null without a session, or if the server keeps them in HttpOnly cookies. */
  getTokens(): SessionTokens | null {
    return this.store.tokens();
  }

  /** Calls back on every later change. Returns a function that unsubscribes. */
  onChange(callback: (session: Session | null) => void): () => void {
    return onLaterValue(this.session$, callback);
  }

  /** Confirms the session with the server. With a duration (minutes), extends it. */
  async authenticate(options?: { readonly session_duration_minutes?: number }) {
    checkArguments('session.authenticate', { session_duration_minutes: 'number?' }, options);
    return this.lifecycle.authenticate(options?.session_duration_minutes);
  }

  /** Signs out. `forceClear` removes the session here even if the server cannot be reached. */
  async revoke(options?: { readonly forceClear?: boolean }) {
    checkArguments('session.revoke', { forceClear: 'boolean?' }, options);
    return this.lifecycle.revoke(options?.forceClear === true);
  }

  /**
   * Stores tokens obtained elsewhere, for example by a server; `authenticate` then fetches their session. An intermediate session token is
   * kept for ten minutes, instead of a session.
   */
  updateSession(tokens: { readonly intermediate_session_token: string }): void;
  updateSession(tokens: { readonly session_token: string; readonly session_jwt?: string }): void;
  updateSession(
    tokens:
      | { readonly session_token: string; readonly session_jwt?: string }
      | { readonly intermediate_session_token: string },
  ): void {
    if (isRecord(tokens) && 'intermediate_session_token' in tokens) {
      checkArguments('session.updateSession', { intermediate_session_token: 'string' }, tokens);
      return this.store.updateIntermediate(tokens.intermediate_session_token);
    }
    checkArguments('session.updateSession', { session_token: 'string', session_jwt: 'string?' }, tokens);
    this.store.updateTokens(tokens);
  }
}
