/** Users, their contacts and login methods, and the recovery of an account. */
export const USERS: readonly string[] = [
  `create table users (
     user_id text primary key,
     created_at timestamptz not null,
     status text not null check (status in ('active', 'pending')),
     name jsonb not null,
     trusted_metadata jsonb not null,
     untrusted_metadata jsonb not null,
     roles jsonb not null,
     -- Of the app's own server.
     external_id text unique,
     -- The app's own server made the user or gave them data: no one else may sign up in their place.
     managed boolean not null default false,
     -- The app's own server wrote the name and metadata: they are kept when an address is verified for the first time.
     vouched boolean not null default false,
     -- In addition to the roles of the project file, which are computed again at each login.
     given_roles jsonb not null default '[]',
     -- Null: not locked.
     locked_at timestamptz,
     -- When the sweep checks a sign-up, and removes it if nothing was proven; null for a user who needs no check.
     proof_due_at timestamptz default now() + interval '7 days',
     mfa_policy text check (mfa_policy in ('when_enrolled', 'required')),
     -- Of a sign-up with a passkey alone. The address is none of the person's contacts: it is not unique, nobody is found by it, and
     -- it says nothing until its owner proves it. unproven_in is the session of the sign-up.
     unproven_email text,
     unproven_in text)`,
  // The order in which a search lists users.
  `create index users_age on users (created_at, user_id)`,
  `create index users_locked on users (created_at, user_id) where locked_at is not null`,
  `create index users_name_grams on users using gin (text_grams(
     coalesce(name->>'first_name', '') || ' ' || coalesce(name->>'middle_name', '') || ' ' || coalesce(name->>'last_name', '')))
     where name <> '{}'`,
  `create index users_pending on users (created_at) where status = 'pending'`,
  // Contains only users who still have to be checked.
  `create index users_proof_due on users (proof_due_at) where proof_due_at is not null`,
  `create table emails (
     email_id text primary key,
     user_id text not null references users on delete cascade,
     email text not null,
     email_key text not null unique,
     verified boolean not null,
     created_at timestamptz not null,
     -- The session in which it was added, here and in the tables below: the first verification of an address keeps the additions of
     -- its sign-up's session, and nothing else. Null without a session. The id of an ended session stays: ids are never used again.
     added_in text,
     -- When the user of a contact that is not verified was created: a search for such contacts shows the oldest users first.
     user_created_at timestamptz)`,
  `create index emails_grams on emails using gin (text_grams(email || ' ' || email_key))`,
  `create index emails_unverified on emails (user_id) where not verified`,
  `create index emails_unverified_order on emails (user_created_at, user_id) where not verified`,
  `create index emails_user on emails (user_id)`,
  `create table phone_numbers (
     phone_id text primary key,
     user_id text not null references users on delete cascade,
     phone_number text not null unique,
     verified boolean not null,
     created_at timestamptz not null,
     added_in text,
     user_created_at timestamptz,
     -- Each kind of second factor can be disputed: a link undid its addition, and its removal waits. It lets nobody in meanwhile.
     disputed_in text)`,
  `create index phone_numbers_grams on phone_numbers using gin (text_grams(phone_number))`,
  `create index phone_numbers_unverified on phone_numbers (user_id) where not verified`,
  `create index phone_numbers_unverified_order on phone_numbers (user_created_at, user_id) where not verified`,
  `create index phone_numbers_user on phone_numbers (user_id)`,
  `create table passwords (
     password_id text primary key,
     user_id text not null unique references users on delete cascade,
     hash text not null,
     requires_reset boolean not null,
     created_at timestamptz not null,
     added_in text)`,
  `create table totps (
     totp_id text primary key,
     user_id text not null unique references users on delete cascade,
     secret text not null,
     verified boolean not null,
     last_step bigint,
     -- Verified apps stay, although this time has long passed.
     expires_at timestamptz not null,
     created_at timestamptz not null,
     added_in text,
     disputed_in text)`,
  `create index totps_expiry on totps (expires_at) where not verified`,
  `create table recovery_codes (
     totp_id text not null references totps on delete cascade,
     code_hash text not null,
     sealed text not null,
     place integer not null,
     primary key (totp_id, code_hash))`,
  `create table webauthn_registrations (
     webauthn_registration_id text primary key,
     user_id text not null references users on delete cascade,
     domain text not null,
     credential_id text not null unique,
     public_key text not null,
     user_handle text not null,
     sign_count bigint not null,
     backup_eligible boolean not null,
     transports jsonb not null,
     user_agent text not null,
     authenticator_type text not null,
     name text not null,
     created_at timestamptz not null,
     -- These two are null until the passkey is used.
     last_used_at timestamptz,
     backed_up boolean,
     -- Of the password manager: only the registration has it.
     aaguid text,
     added_in text,
     disputed_in text,
     -- What the authenticator proved of its model when the passkey was added.
     attestation_format text,
     attested boolean,
     model text)`,
  `create index webauthn_registrations_user on webauthn_registrations (user_id)`,
  `create table crypto_wallets (
     crypto_wallet_id text primary key,
     user_id text not null references users on delete cascade,
     crypto_wallet_type text not null check (crypto_wallet_type in ('ethereum', 'solana')),
     crypto_wallet_address text not null,
     created_at timestamptz not null,
     added_in text,
     unique (crypto_wallet_type, crypto_wallet_address))`,
  `create index crypto_wallets_user on crypto_wallets (user_id)`,
  `create table oauth_registrations (
     oauth_user_registration_id text primary key,
     user_id text not null references users on delete cascade,
     provider_type text not null,
     provider_subject text not null,
     profile_picture_url text not null,
     locale text not null,
     created_at timestamptz not null,
     refresh_token text,
     added_in text,
     unique (provider_type, provider_subject))`,
  `create index oauth_registrations_user on oauth_registrations (user_id)`,
  // Pending recoveries: somebody who lost every second factor requests their removal. Each user has at most one.
  `create table recoveries (
     recovery_id text primary key,
     user_id text not null references users on delete cascade,
     state text not null check (state in ('waiting', 'canceled', 'completed')),
     started_at timestamptz not null,
     available_at timestamptz not null,
     announced_at timestamptz,
     ended_at timestamptz,
     expires_at timestamptz not null,
     -- Whether a login of two factors ends it.
     ends_with_login boolean not null default false,
     -- The messages of its start that were not delivered yet, as a list of their ids; null once none is under way.
     undelivered jsonb,
     -- The oldest login method and the oldest contact as the dispute began: whoever removes them meanwhile makes no other one the
     -- oldest. Null for a recovery that disputes nothing.
     oldest_method_at timestamptz,
     oldest_contact_at timestamptz)`,
  `create index recoveries_due on recoveries (available_at) where state = 'waiting' and announced_at is null`,
  `create index recoveries_expiry on recoveries (expires_at)`,
  `create index recoveries_user on recoveries (user_id)`,
  `create unique index recoveries_waiting on recoveries (user_id) where state = 'waiting'`,
];
