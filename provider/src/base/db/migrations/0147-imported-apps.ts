/** How the authenticator apps of another system compute their codes, and recovery codes of which only that system's hash is known. */
export const IMPORTED_APPS: readonly string[] = [
  `alter table totps
     add column algorithm text not null default 'SHA1' check (algorithm in ('SHA1', 'SHA256', 'SHA512')),
     add column digits integer not null default 6 check (digits in (6, 8)),
     add column period integer not null default 30 check (period > 0),
     add column imported_codes boolean not null default false`,
  `alter table recovery_codes add column migrated text`,
];
