import { mergeName } from '../../../server-rules/accounts.ts';
import { mergeMetadata } from '../../../server-rules/metadata.ts';
import {
  changesBy,
  missingProfile,
  profileOf,
  readEntry,
  requireComplete,
  requireFields,
  type ProfileOwner,
  type ProfileRules,
} from '../../../server-rules/profile.ts';
import type { BodyFor, profile as endpoints } from '../../../src/application/api/index.ts';
import type { Profile } from '../../../src/domain/sessions/profile.ts';
import type { ServerState } from './state.ts';
import { change, readUser } from './user-rows.ts';

function ownerOf(state: ServerState, userId: string): ProfileOwner {
  const { name, untrusted_metadata } = readUser(state, userId);
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

/** Stores what the user entered and accepted. In a login, nothing required may be missing afterwards. */
export function saveProfile(
  state: ServerState,
  userId: string,
  { rules, body, isWhole }: { rules: ProfileRules; body: BodyFor<(typeof endpoints)['update']>; isWhole: boolean },
): void {
  const entry = readEntry(rules, body);
  requireFields(rules, entry);
  const before = ownerOf(state, userId);
  const changes = changesBy(entry, before.accepted_terms, state.stamp());
  const after = {
    name: mergeName(before.name, changes.name),
    untrusted_metadata: mergeMetadata(before.untrusted_metadata, changes.untrusted_metadata, 'untrusted_metadata'),
    accepted_terms: changes.accepted_terms,
  };
  if (isWhole) requireComplete(rules, after);
  change(state, userId, { name: after.name, untrusted_metadata: after.untrusted_metadata });
  state.acceptedTerms.set(userId, after.accepted_terms);
}
