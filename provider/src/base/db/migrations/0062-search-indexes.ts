/** Indexes for the searches of the backend API and of operators. They are built while others write. */
export const SEARCH_INDEXES: readonly string[] = [
  `create index concurrently if not exists emails_grams on emails using gin (text_grams(email || ' ' || email_key))`,
  `create index concurrently if not exists phone_numbers_grams on phone_numbers using gin (text_grams(phone_number))`,
  `create index concurrently if not exists users_name_grams on users using gin (text_grams(
     coalesce(name->>'first_name', '') || ' ' || coalesce(name->>'middle_name', '') || ' ' || coalesce(name->>'last_name', '')))
     where name <> '{}'`,
  `create index concurrently if not exists emails_unverified on emails (user_id) where not verified`,
  `create index concurrently if not exists phone_numbers_unverified on phone_numbers (user_id) where not verified`,
  `create index concurrently if not exists users_locked on users (created_at, user_id) where locked_at is not null`,
  `create index concurrently if not exists audit_log_event on audit_log (event, seq)`,
  `create index concurrently if not exists audit_log_network_seq on audit_log (network, seq)`,
];
