/**
 * The callback of a social login stores the account and changes no user: `oauth.authenticate` does. An account that is linked by
 * its address to a user with an authenticator app waits until its session proves the second factor.
 *
 * Earlier versions find only tokens whose account is registered, because they join the registration.
 */
export const SOCIAL_IDENTITIES: readonly string[] = [
  `alter table oauth_tokens alter column oauth_user_registration_id drop not null`,
  `alter table oauth_tokens
     add column identity text,
     add column user_id text references users on delete cascade,
     add column attaches boolean not null default false,
     add column session_id text`,
  `create index oauth_tokens_user on oauth_tokens (user_id)`,
  `create table pending_oauth_registrations (
     session_id text not null references sessions on delete cascade,
     provider_type text not null,
     oauth_user_registration_id text not null,
     identity text not null,
     primary key (session_id, provider_type))`,
];
