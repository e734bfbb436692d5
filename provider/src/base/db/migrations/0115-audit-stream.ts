/** How far the audit log was delivered to the sink of `audit_stream`: one row, which is there from the first delivery on. */
export const AUDIT_STREAM: readonly string[] = [
  `create table audit_stream (
     name text primary key,
     batch bigint not null,
     last bigint not null,
     planned bigint,
     reached_at timestamptz)`,
];
