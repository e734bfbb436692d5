/** Users who have never logged in, in the order of a search: where there are few of them, it would read all others. */
export const PENDING_USERS: readonly string[] = [
  `create index concurrently if not exists users_pending on users (created_at, user_id) where status = 'pending'`,
];
