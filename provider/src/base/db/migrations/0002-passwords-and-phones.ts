/** Phone numbers, passwords and their resets, authenticator apps. */
export const PASSWORDS_AND_PHONES: readonly string[] = [
  `create table phone_numbers (
     phone_id text primary key,
     user_id text not null references users on delete cascade,
     phone_number text not null unique,
     verified boolean not null,
     created_at timestamptz not null)`,
  `create index phone_numbers_user on phone_numbers (user_id)`,
  // A passcode may go to a number, or to an address without a user: it no longer references a row of emails.
  `alter table passcodes drop constraint passcodes_method_id_fkey`,
  `alter table passcodes add column channel text not null default 'email' check (channel in ('email', 'sms', 'whatsapp'))`,
  `alter table passcodes add column adds_to text references users on delete cascade`,
  `alter table passcodes add column address text`,
  `alter table magic_links alter column email_id drop not null`,
  `alter table magic_links add column purpose text not null default 'login' check (purpose in ('login', 'reset_password'))`,
  `alter table magic_links add column adds_to text references users on delete cascade`,
  `alter table magic_links add column address text`,
  `create table passwords (
     password_id text primary key,
     user_id text not null unique references users on delete cascade,
     hash text not null,
     requires_reset boolean not null,
     created_at timestamptz not null)`,
  `create table totps (
     totp_id text primary key,
     user_id text not null unique references users on delete cascade,
     secret text not null,
     verified boolean not null,
     last_step bigint,
     expires_at timestamptz not null,
     created_at timestamptz not null)`,
  `create table recovery_codes (
     totp_id text not null references totps on delete cascade,
     code_hash text not null,
     sealed text not null,
     place integer not null,
     primary key (totp_id, code_hash))`,
];
