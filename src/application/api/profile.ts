import type { Profile } from '#domain/sessions/profile.ts';
import type { ChangesUser, AuthenticationReply } from './authenticated.ts';
import { AUTHENTICATED } from './authenticated.ts';
import { endpoint } from './endpoint.ts';

/** The values by the names of their fields, and the accepted versions by the ids of their terms. */
const ENTRY = { fields: 'object?', terms: 'object?' } as const;

/** The fields and terms that the project asks for. An addition to the reference's wire. */
export const profile = {
  /**
   * Completes a login that lacks only these (`mfa.profile` of its step). `invalid_profile` for a value that the field cannot have, and
   * `profile_required` if something is still missing; nothing is stored then.
   */
  complete: endpoint<AuthenticationReply>()({
    name: 'profile.complete',
    method: 'POST',
    path: '/profile/complete',
    /** `user_id`: whose login it is, as the step says. A login of somebody else in another tab is not completed. */
    body: { ...ENTRY, user_id: 'string' },
    reply: AUTHENTICATED,
  }),
  /** The signed-in user's fields and terms, whether missing or not; null in a project that asks for none. */
  get: endpoint<{ readonly profile: Profile | null }>()({
    name: 'profile.get',
    method: 'GET',
    path: '/users/me/profile',
  }),
  /** Changes the signed-in user's fields, and accepts terms. Fields and terms that are left out stay as they are. */
  update: endpoint<ChangesUser & { readonly profile: Profile }>()({
    name: 'profile.update',
    method: 'PUT',
    path: '/users/me/profile',
    body: ENTRY,
  }),
};
