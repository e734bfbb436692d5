import { checkArguments, checkId } from '../../domain/shape.ts';
import { ownSessions, type ReplyFor } from '../api/index.ts';
import type { WireClient } from '../wire/wire-client.ts';

/**
 * The user's sessions in all browsers. These calls are additions to the wire: a server without them refuses with
 * `route_not_found`.
 */
export class OwnSessions {
  constructor(private readonly wire: WireClient) {}

  /** The live sessions, the one used last first: at most a hundred, and those after them with the reply's `next_cursor`. */
  async list(options?: { readonly cursor?: string }): Promise<ReplyFor<typeof ownSessions.list>> {
    checkArguments('session.list', { cursor: 'string?' }, options);
    const cursor = options?.cursor;
    if (cursor === undefined) return this.wire.call(ownSessions.list, {});
    checkId('session.list', 'cursor', cursor);
    return this.wire.call(ownSessions.listAfter, {}, { params: { cursor } });
  }

  /** Ends a session by its id. The browser that has it notices at its next request. */
  async revoke(session_id: string): Promise<ReplyFor<typeof ownSessions.revokeOther>> {
    checkId('session.revokeOther', 'session_id', session_id);
    return this.wire.call(ownSessions.revokeOther, {}, { params: { session_id } });
  }

  /** Ends all sessions but this one, with the access that apps were given in them. */
  async revokeOthers(): Promise<ReplyFor<typeof ownSessions.revokeOthers>> {
    return this.wire.call(ownSessions.revokeOthers, {});
  }
}
