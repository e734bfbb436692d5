import { profileOf, type ProfileOwner, type ProfileRules } from '#server-rules/profile.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import type { ServerState } from './state.ts';

/** The data of a user from which their profile is read. */
export function ownerOf(state: ServerState, userId: string): ProfileOwner {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const { name, untrusted_metadata } = user;
  return { name, untrusted_metadata, accepted_terms: state.acceptedTerms.get(userId) ?? {} };
}

/**
 * What the project asks of a user; null if it asks for nothing.
 *
 * @param part everything with the user's values, or what a login of the user lacks (`missingProfile`)
 */
export function readProfile(
  state: ServerState,
  userId: string,
  part: (rules: ProfileRules, owner: ProfileOwner) => Profile | null = profileOf,
): Profile | null {
  const { profile: rules } = state.settings;
  return rules && part(rules, ownerOf(state, userId));
}
