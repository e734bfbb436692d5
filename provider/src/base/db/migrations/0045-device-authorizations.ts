/**
 * Devices that wait for a user's decision (RFC 8628). A decision in the device's favour is an authorization code: it ends with the user's
 * session and grant, and the row with it.
 */
export const DEVICE_AUTHORIZATIONS: readonly string[] = [
  `create table device_authorizations (
     device_hash text primary key,
     user_code_hash text not null unique,
     client_id text not null,
     scopes jsonb not null,
     audiences jsonb not null,
     sealed_origin text not null,
     dpop_jkt text,
     interval_seconds integer not null,
     polled_at timestamptz,
     denied boolean not null default false,
     code_hash text references authorization_codes (code_hash) on delete cascade,
     expires_at timestamptz not null)`,
  `create index device_authorizations_code on device_authorizations (code_hash)`,
  `create index device_authorizations_expiry on device_authorizations (expires_at)`,
  `alter table connected_apps add column device_authorization_allowed boolean not null default false`,
];
