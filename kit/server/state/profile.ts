import { missingProfile, profileOf, type ProfileOwner } from '#server-rules/profile.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import type { ServerState } from './state.ts';

/** The data of a user from which their profile is read. */
export function ownerOf(state: ServerState, userId: string): ProfileOwner {
  const user = state.users.get(userId);
  if (user === undefined) throw new Error(`There is no user ${userId}`);
  const { name, untrusted_metadata } = user;
  return { name, untrusted_metadata, accepted_terms: state.acceptedTerms.get(userId) ?? {} };
}

/** Everything that the project asks for, with the user's values; null in a project that asks for nothing. */
export function readProfile(state: ServerState, userId: string): Profile | null {
  const { profile: rules } = state.settings;
  return rules && profileOf(rules, ownerOf(state, userId));
}

/** What a login of the user lacks; null if it lacks nothing. */
export function lackingProfile(state: ServerState, userId: string): Profile | null {
  const { profile: rules } = state.settings;
  return rules && missingProfile(rules, ownerOf(state, userId));
}
