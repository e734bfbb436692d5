/** The terms that a user accepted, by their ids: the last version of each, and when. */
export const ACCEPTED_TERMS: readonly string[] = [
  "alter table users add column accepted_terms jsonb not null default '{}'",
];
