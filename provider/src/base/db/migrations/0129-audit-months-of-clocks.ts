/** The bounds of a partition. Their text is of the session's time zone and style of dates, as is what it is read with. */
const bound = (side: 'FROM' | 'TO'): string =>
  `substring(pg_get_expr(c.relpartbound, c.oid), '${side} ${String.raw`\(''([^'']+)''\)`}')::timestamptz`;
const [START, END] = [bound('FROM'), bound('TO')];
const PARTITIONS = `pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_log'::regclass`;
/** The first partition has no start. */
const overlaps = (start: string, end: string): string =>
  `exists (select from ${PARTITIONS} and ${END} > ${start} and coalesce(${START}, '-infinity') < ${end})`;

/**
 * As 0126 has it, but a month that a wrong clock made far ahead does not count for those before it; and a transaction that has the log
 * open each time is an error before the first month is missing, not only then.
 */
const MAKE_MONTHS = `create or replace function audit_log_make_months() returns integer language plpgsql security definer
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

/** As 0126 has it, but one that nobody could drop for two months is an error. */
const DROP_MONTH = `create or replace function audit_log_drop_month() returns integer language plpgsql security definer
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

export const AUDIT_MONTHS_OF_CLOCKS: readonly string[] = [
  `do $do$ begin
    execute format($make_months$${MAKE_MONTHS}$make_months$, current_schema());
    execute format($drop_month$${DROP_MONTH}$drop_month$, current_schema());
  end $do$`,
];
