import { checkArguments } from '#domain/shape.ts';
import { profile, type BodyFor, type ReplyFor } from '../../api/index.ts';
import { withoutUser } from '../../api/users.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import { TRUST, type TrustOptions } from '../sessions/trust-options.ts';

type Api = typeof profile;

/** The fields and terms that the project asks its users for (not in the reference's wire). */
export class UserProfile {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
  ) {}

  /** The signed-in user's fields and terms; null in a project that asks for none. */
  async get(): Promise<ReplyFor<Api['get']>> {
    return this.wire.call(profile.get, {});
  }

  /**
   * Completes this browser's login, whose `mfa.profile` lists what it lacks. Rejects with `profile_required` if something is still missing,
   * and with `invalid_profile` for a value that the field cannot have; nothing is stored then. `user_id` is that of
   * `mfa.profile`: a login of somebody else that another tab has begun meanwhile is refused (`intermediate_session_not_found`).
   */
  async complete(entry: BodyFor<Api['complete']> & TrustOptions): Promise<ReplyFor<Api['complete']>> {
    checkArguments('profile.complete', { ...profile.complete.body, ...TRUST }, entry);
    const { fields, terms, user_id, trust_device } = entry;
    const body = { fields, terms, user_id, trust_device };
    return this.sessions.update(await this.wire.call(profile.complete, body));
  }

  /** Changes the signed-in user's fields, and accepts terms. What is left out stays as it is. */
  async update(entry: BodyFor<Api['update']>): Promise<Omit<ReplyFor<Api['update']>, '__user'>> {
    checkArguments('profile.update', profile.update.body, entry);
    const { fields, terms } = entry;
    const reply = await this.wire.call(profile.update, { fields, terms });
    return withoutUser(reply, (user) => this.sessions.updateUser(user));
  }
}
