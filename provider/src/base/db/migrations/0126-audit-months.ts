import type { StepwiseMigration } from '../migration.ts';

/** The end of a partition. Its text is of the session's time zone and style of dates, as is what it is read with. */
const END = String.raw`substring(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([^'']+)''\)')::timestamptz`;
const PARTITIONS = `pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass`;

/**
 * Makes the partitions of this month and the next two. The lock has two processes make them one after the other, and keeps no write
 * waiting. Rows of a month that are in the default partition, of a wrong clock or because no sweep ran for months, move into the new one; if
 * they are many, the month stays there as a whole. Attaching reads the default partition while writes to it wait, so that it must be small.
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
    lock table audit_log in share update exclusive mode;
    for ahead in 0..2 loop
      starts := (first + make_interval(months => ahead)) at time zone 'UTC';
      ends := (first + make_interval(months => ahead + 1)) at time zone 'UTC';
      continue when exists (select from ${PARTITIONS} and ${END} > starts);
      if pg_relation_size('audit_log_default') > 64 * 1024 * 1024 then
        raise exception 'audit_log_default is too large to make another month' using errcode = 'object_not_in_prerequisite_state';
      end if;
      lock table audit_log_default in access exclusive mode;
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
 * Drops the oldest partition of which every row is older than the log keeps it: the trigger, which guards single rows, does not run for
 * that. It gives up where a reader has the log open, because all that write would wait behind it.
 */
const DROP_MONTH = `create function audit_log_drop_month() returns integer language plpgsql security definer
  set search_path = %1$I, pg_temp set lock_timeout = '100ms' as $drop$
  declare
    old regclass;
  begin
    -- Not as a default of the variable: to read the end of a partition waits for one that makes a month, and the block catches that here alone.
    old := (select c.oid from ${PARTITIONS} and ${END} < clock_timestamp() - interval '365 days'
      order by ${END} limit 1);
    if old is null then return 0; end if;
    execute format('drop table %%s', old);
    return 1;
  exception when lock_not_available or undefined_table then
    return 0;
  end $drop$`;

/** Without a path that a caller could choose, because both functions run with the rights of the owner. */
const MAKE_FUNCTIONS = `do $do$ begin
  execute format($make_months$${MAKE_MONTHS}$make_months$, current_schema());
  execute format($drop_month$${DROP_MONTH}$drop_month$, current_schema());
end $do$`;

/** Rows until the end of next month stay in the table that there is: a month begins with the first row after that. */
const CHECK = `do $$ begin
  execute format('alter table audit_log add constraint audit_log_before check (created_at < %L) not valid',
    (date_trunc('month', greatest(now(), (select max(created_at) from audit_log)) at time zone 'UTC') + interval '2 months')
      at time zone 'UTC');
end $$`;

/**
 * The table becomes the first partition. The check spares reading it, and its indexes are its own, as those of each partition are, so
 * that none is built. The number of a row is unique because one sequence counts for all partitions.
 */
const SWITCH = `do $$ declare
  last bigint;
  ends text := (select substring(pg_get_constraintdef(oid), '''([^'']+)''') from pg_constraint
    where conname = 'audit_log_before' and conrelid = 'audit_log'::regclass);
  rights text;
begin
  lock table audit_log in access exclusive mode;
  last := coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit_log', 'seq')::regclass), 0);
  drop trigger audit_log_rows on audit_log;
  alter table audit_log alter column seq drop identity;
  alter table audit_log rename to audit_log_before;
  execute format('create table audit_log (
    seq bigint generated always as identity (start with %s),
    created_at timestamptz not null,
    event text not null,
    outcome text not null constraint audit_log_outcome_check check (outcome in (''ok'', ''refused'')),
    user_id text,
    actor_kind text not null,
    actor_id text,
    method text,
    network text,
    request_id text,
    details jsonb not null default ''{}'') partition by range (created_at)', last + 1);
  execute format('alter table audit_log attach partition audit_log_before for values from (minvalue) to (%L)', ends);
  alter table audit_log_before drop constraint audit_log_before;
  create table audit_log_default partition of audit_log (primary key (seq)) default;
  create index on audit_log_default (created_at);
  create index on audit_log_default (user_id, seq);
  create index on audit_log_default (event, seq);
  create index on audit_log_default (network, seq) where network is not null;
  create index on audit_log_default (created_at) where outcome = 'refused';
  create trigger audit_log_rows before update or delete on audit_log
    for each row execute function audit_log_append_only();
  create trigger audit_log_truncate before truncate on audit_log
    for each statement execute function audit_log_append_only();
  create trigger audit_log_truncate before truncate on audit_log_default
    for each statement execute function audit_log_append_only();
  for rights in select format('grant %s on audit_log to %s%s', privilege_type,
      case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
      case when is_grantable then ' with grant option' else '' end)
    from pg_class, aclexplode(relacl) where oid = 'audit_log_before'::regclass and grantee <> relowner
  loop
    execute rights;
  end loop;
end $$`;

/** The audit log in partitions of a month (UTC), which end as a whole, beside those of before and of other times. */
export const AUDIT_MONTHS: StepwiseMigration = {
  steps: [[CHECK], ['alter table audit_log validate constraint audit_log_before'], [SWITCH, MAKE_FUNCTIONS]],
};
