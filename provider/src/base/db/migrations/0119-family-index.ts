/** Of the sessions that an app's tokens belong to, which are few: the next migration removes the index that has all. */
export const FAMILY_INDEX: readonly string[] = [
  `create index concurrently if not exists sessions_of_families on sessions (family_id) where family_id is not null`,
];
