/** How the authenticator apps of another system compute their codes, and recovery codes of which only that system's hash is known. */
export const IMPORTED_APPS: readonly string[] = [
  `alter table totps
     add column algorithm text not null default 'SHA1',
     add column digits integer not null default 6,
     add column period integer not null default 30,
     add column imported_codes boolean not null default false`,
  `alter table recovery_codes add column migrated text`,
];
