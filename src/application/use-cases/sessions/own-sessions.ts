import { checkArguments } from '#domain/shape.ts';
import { checkId } from '#domain/check-id.ts';
import { ownSessions, type ReplyFor } from '../../api/index.ts';
import type { WireClient } from '../../wire/wire-client.ts';

/** The user's sessions in all browsers. These calls are additions to the wire. A server without them responds with `route_not_found`. */
export class OwnSessions {
  constructor(private readonly wire: WireClient) {}

  /** A page of at most a hundred live sessions, most recently used first. The reply's `next_cursor` requests the next page. */
  async list(options?: { readonly cursor?: string }): Promise<ReplyFor<typeof ownSessions.list>> {
    checkArguments('session.list', { cursor: 'string?' }, options);
    const cursor = options?.cursor;
    if (cursor === undefined) return this.wire.call(ownSessions.list, {});
    checkId('session.list', 'cursor', cursor);
    return this.wire.call(ownSessions.listAfter, {}, { params: { cursor } });
  }

  /** Ends a session by its id. The browser with that session detects this at its next request. */
  async revoke(session_id: string): Promise<ReplyFor<typeof ownSessions.revokeOther>> {
    checkId('session.revokeOther', 'session_id', session_id);
    return this.wire.call(ownSessions.revokeOther, {}, { params: { session_id } });
  }

  /** Ends all sessions except the current one, and the access that was granted to apps in them. */
  async revokeOthers(): Promise<ReplyFor<typeof ownSessions.revokeOthers>> {
    return this.wire.call(ownSessions.revokeOthers, {});
  }
}
