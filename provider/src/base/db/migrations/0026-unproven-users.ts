/**
 * The time at which the sweep checks a sign-up and removes it if nothing was proven; null for a user who needs no check. The
 * default is for users whom an older version makes in the meantime. The index contains only users who will be checked.
 *
 * Of the older users, the sweep checks those who never signed in, and those whom a page made as active and who set no password.
 * An older password may come from another system, for which the app vouched, so that its users stay.
 */
export const UNPROVEN_USERS: readonly string[] = [
  `alter table users add column proof_due_at timestamptz`,
  `alter table users alter column proof_due_at set default now() + interval '7 days'`,
  `create index users_proof_due on users (proof_due_at) where proof_due_at is not null`,
  `update users set proof_due_at = created_at + interval '7 days' where not managed and (status = 'pending'
     or ((exists (select from emails e where e.user_id = users.user_id and not e.verified)
         or exists (select from phone_numbers n where n.user_id = users.user_id and not n.verified))
       and not exists (select from passwords p where p.user_id = users.user_id)))`,
  // Whoever has a password of another system got it from the app.
  `update users set managed = true where not managed
     and user_id in (select user_id from passwords where hash like 'migrated:%')`,
];
