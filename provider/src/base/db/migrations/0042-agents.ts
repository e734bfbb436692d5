/**
 * Agents: apps that no operator registered. Their ids are addresses of metadata documents, or were made when they registered
 * themselves. A grant ends with its agent, as with an app made at run time.
 */
export const AGENTS: readonly string[] = [
  `create table agents (
     client_id text primary key,
     origin text not null check (origin in ('document', 'registration')),
     metadata jsonb not null,
     secret_hash text,
     registration_token_hash text,
     approval text check (approval in ('approved', 'refused')),
     created_at timestamptz not null,
     changed_at timestamptz not null,
     read_at timestamptz not null,
     fresh_until timestamptz not null,
     expires_at timestamptz not null)`,
  `create index agents_expiry on agents (expires_at)`,
  `create index agents_created on agents (origin, created_at)`,
  `alter table oauth_grants add column agent_id text references agents on delete cascade`,
  `create index oauth_grants_agent on oauth_grants (agent_id) where agent_id is not null`,
];
