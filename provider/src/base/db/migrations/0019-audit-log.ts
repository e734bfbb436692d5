/**
 * The audit log, and the lock of a user. The log has no foreign key: its rows stay when their user is deleted, and hold ids only.
 *
 * The trigger guards against mistakes and against code that can run statements. It does not stop the owner of the table, who can
 * drop it: give the server's role no more than INSERT, SELECT and DELETE on the table where that matters, and copy the log elsewhere.
 */
export const AUDIT_LOG: readonly string[] = [
  `create table audit_log (
     seq bigint generated always as identity primary key,
     created_at timestamptz not null,
     event text not null,
     outcome text not null check (outcome in ('ok', 'refused')),
     user_id text,
     actor_kind text not null,
     actor_id text,
     method text,
     network text,
     request_id text,
     details jsonb not null default '{}')`,
  `create index audit_log_age on audit_log (created_at)`,
  `create index audit_log_user on audit_log (user_id, seq)`,
  `create index audit_log_network on audit_log (network, created_at) where outcome = 'refused'`,
  `create index audit_log_refused on audit_log (created_at) where outcome = 'refused'`,
  `create function audit_log_append_only() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' then
       if (old.created_at < clock_timestamp()
         - case old.outcome when 'refused' then interval '30 days' else interval '365 days' end) then
         return old;
       end if;
     end if;
     raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger audit_log_rows before update or delete on audit_log
     for each row execute function audit_log_append_only()`,
  `create trigger audit_log_truncate before truncate on audit_log
     for each statement execute function audit_log_append_only()`,
  // Null: not locked.
  `alter table users add column locked_at timestamptz`,
];
