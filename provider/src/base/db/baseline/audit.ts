/**
 * The audit log, in monthly partitions (UTC), which are deleted as a whole. The log has no foreign key: its rows stay when their user is
 * deleted, and contain only ids.
 *
 * The trigger guards against mistakes and against code that can run statements. It does not stop the owner of the table, who can drop it.
 * If that matters, give the server's role only INSERT, SELECT and DELETE on the table, and copy the log elsewhere.
 */
const TABLE: readonly string[] = [
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
  `create table audit_log (
     seq bigint generated always as identity,
     created_at timestamptz not null,
     event text not null,
     outcome text not null check (outcome in ('ok', 'refused')),
     user_id text,
     actor_kind text not null,
     actor_id text,
     method text,
     network text,
     request_id text,
     details jsonb not null default '{}') partition by range (created_at)`,
  `create trigger audit_log_rows before update or delete on audit_log
     for each row execute function audit_log_append_only()`,
  `create trigger audit_log_truncate before truncate on audit_log
     for each statement execute function audit_log_append_only()`,
];

/**
 * The partition of the first two months. Every later month has its own partition. Each partition has separate indexes, and all share one
 * sequence, so that row numbers are unique.
 */
const FIRST: readonly string[] = [
  `create table audit_log_before (like audit_log including defaults including constraints,
     constraint audit_log_pkey primary key (seq))`,
  `create index audit_log_age on audit_log_before (created_at)`,
  `create index audit_log_user on audit_log_before (user_id, seq)`,
  `create index audit_log_event on audit_log_before (event, seq)`,
  `create index audit_log_network_seq on audit_log_before (network, seq)`,
  `create index audit_log_refused on audit_log_before (created_at) where outcome = 'refused'`,
  `create trigger audit_log_truncate before truncate on audit_log_before
     for each statement execute function audit_log_append_only()`,
  `do $$ begin
    execute format('alter table audit_log attach partition audit_log_before for values from (minvalue) to (%L)',
      (date_trunc('month', now() at time zone 'UTC') + interval '2 months') at time zone 'UTC');
  end $$`,
];

/** The partition for rows of other times, caused by a wrong clock or because no sweep ran for months. New months are made like it. */
const DEFAULT: readonly string[] = [
  `create table audit_log_default partition of audit_log (primary key (seq)) default`,
  `create index on audit_log_default (created_at)`,
  `create index on audit_log_default (user_id, seq)`,
  `create index on audit_log_default (event, seq)`,
  `create index on audit_log_default (network, seq) where network is not null`,
  `create index on audit_log_default (created_at) where outcome = 'refused'`,
  `create trigger audit_log_truncate before truncate on audit_log_default
     for each statement execute function audit_log_append_only()`,
];

/** The bounds of a partition. Their text and its reading both use the session's time zone and date style. */
const partitionBound = (side: 'FROM' | 'TO'): string =>
  `substring(pg_get_expr(c.relpartbound, c.oid), '${side} ${String.raw`\(''([^'']+)''\)`}')::timestamptz`;
const [START, END] = [partitionBound('FROM'), partitionBound('TO')];
const PARTITIONS = `pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass`;
/** The first partition has no start. */
const overlaps = (start: string, end: string): string =>
  `exists (select from ${PARTITIONS} and ${END} > ${start} and coalesce(${START}, '-infinity') < ${end})`;

/**
 * Makes the partitions of this month and the next two. A lock makes two processes do this one after the other, and blocks no write. If the
 * default partition has rows of a month (from a wrong clock, or because no sweep ran for months), they move into the new partition; if they
 * are many, the whole month stays there. Attaching a partition reads the default partition while writes to it wait, so that must be small.
 *
 * A month that a wrong clock made far ahead has no effect on earlier ones. If a transaction has the log open at every attempt, that is
 * reported as an error before the first month is missing.
 */
const MAKE_MONTHS = `create function audit_log_make_months() returns integer language plpgsql security definer
  set search_path = %1$I, pg_temp set lock_timeout = '100ms' as $make$
  declare
    first timestamp := date_trunc('month', clock_timestamp() at time zone 'UTC');
    starts timestamptz;
    ends timestamptz;
    name text;
    made integer := 0;
  begin
    begin
      lock table audit_log in share update exclusive mode;
    exception when lock_not_available then
      -- Another process makes them.
      return 0;
    end;
    for ahead in 0..2 loop
      starts := (first + make_interval(months => ahead)) at time zone 'UTC';
      ends := (first + make_interval(months => ahead + 1)) at time zone 'UTC';
      continue when ${overlaps('starts', 'ends')};
      if pg_relation_size('audit_log_default') > 64 * 1024 * 1024 then
        raise exception 'audit_log_default is too large to make another month' using errcode = 'object_not_in_prerequisite_state';
      end if;
      begin
        lock table audit_log_default in access exclusive mode;
      exception when lock_not_available then
        if ahead = 2 then return made; end if;
        raise exception 'audit_log is in use by a long transaction, so that no month can be made'
          using errcode = 'object_not_in_prerequisite_state';
      end;
      continue when exists (select from audit_log_default where created_at >= starts and created_at < ends offset 10000);
      name := to_char(first + make_interval(months => ahead), '"audit_log_"YYYY_MM');
      execute format('create table %%I (like audit_log_default including all excluding identity)', name);
      alter table audit_log_default disable trigger audit_log_rows;
      execute format('with moved as (delete from audit_log_default where created_at >= $1 and created_at < $2 returning *)
        insert into %%I select * from moved', name) using starts, ends;
      alter table audit_log_default enable trigger audit_log_rows;
      execute format('create trigger audit_log_truncate before truncate on %%I
        for each statement execute function audit_log_append_only()', name);
      execute format('alter table audit_log attach partition %%I for values from (%%L) to (%%L)', name, starts, ends);
      made := made + 1;
    end loop;
    return made;
  exception when lock_not_available then
    return 0;
  end $make$`;

/**
 * Drops the oldest partition once all of its rows are older than the log keeps them. The trigger, which guards single rows, does not run
 * for that. It gives up if a reader has the log open, because all writers would have to wait for the reader. If a partition could not be
 * dropped for two months, that is an error.
 */
const DROP_MONTH = `create function audit_log_drop_month() returns integer language plpgsql security definer
  set search_path = %1$I, pg_temp set lock_timeout = '100ms' as $drop$
  declare
    old regclass;
    ended timestamptz;
  begin
    -- Not as a default of the variable: to read the end of a partition waits for one that makes a month, and the block catches that here alone.
    select c.oid, ${END} into old, ended from ${PARTITIONS} and ${END} < clock_timestamp() - interval '365 days'
      order by ${END} limit 1;
    if old is null then return 0; end if;
    execute format('drop table %%s', old);
    return 1;
  exception
    when undefined_table then
      return 0;
    when lock_not_available then
      if ended < clock_timestamp() - interval '425 days' then
        raise exception 'audit_log is in use by a long transaction, so that no month can be dropped'
          using errcode = 'object_not_in_prerequisite_state';
      end if;
      return 0;
  end $drop$`;

/** A fixed path that no caller can choose, because both functions run with the rights of the owner. */
const FUNCTIONS = `do $do$ begin
    execute format($make_months$${MAKE_MONTHS}$make_months$, current_schema());
    execute format($drop_month$${DROP_MONTH}$drop_month$, current_schema());
  end $do$`;

/** The audit log, its counts, and its delivery. */
export const AUDIT: readonly string[] = [
  ...TABLE,
  ...FIRST,
  ...DEFAULT,
  FUNCTIONS,
  // How often something was refused, or repeated, in an hour. Beyond a budget the audit log has one row with the number of the other times,
  // which is written when the hour is over.
  `create table audit_counts (
     bucket text not null,
     window_start timestamptz not null,
     window_end timestamptz not null,
     event text not null,
     outcome text not null,
     user_id text,
     network text,
     error_type text,
     budget integer not null,
     hits integer not null,
     primary key (bucket, window_start))`,
  `create index audit_counts_end on audit_counts (window_end)`,
  // How far the audit log was delivered to the sink of audit_stream: one row, which exists from the first delivery on.
  `create table audit_stream (
     name text primary key,
     batch bigint not null,
     last bigint not null,
     planned bigint,
     reached_at timestamptz)`,
];
