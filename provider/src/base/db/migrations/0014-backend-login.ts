/** Links and codes that an app's own server requests. */
export const BACKEND_LOGIN: readonly string[] = [
  `alter table magic_links drop constraint magic_links_purpose_check`,
  `alter table magic_links add constraint magic_links_purpose_check
     check (purpose in ('login', 'reset_password', 'invite', 'embedded'))`,
  ...['magic_links', 'passcodes'].flatMap((table) => [
    `alter table ${table} add column needs_session boolean not null default true`,
    `alter table ${table} add column ip_hash text`,
    `alter table ${table} add column user_agent_hash text`,
  ]),
  `alter table magic_links add column made_user boolean not null default false`,
];
