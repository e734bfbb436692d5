/** How many passkeys were offered, made and used, or failed: a row of each day (UTC), family of browsers and step. */
export const PASSKEY_FUNNEL: readonly string[] = [
  `create table passkey_funnel (
     day timestamptz not null,
     browser text not null,
     mobile boolean not null,
     step text not null,
     hits bigint not null,
     primary key (day, browser, mobile, step))`,
];
