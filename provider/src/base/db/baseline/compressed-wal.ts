/**
 * Lets PostgreSQL compress the pages that it writes to its log, which halves the log of a login. This needs a superuser or a role with the
 * right to this setting, and not every build supports it; otherwise nothing changes. A value that somebody has set stays.
 */
export const COMPRESSED_WAL: readonly string[] = [
  `do $$
    declare method text;
    begin
      if coalesce(current_setting('wal_compression', true), '') <> 'off' then return; end if;
      foreach method in array array['zstd', 'lz4'] loop
        begin
          execute format('alter database %I set wal_compression = %L', current_database(), method);
          return;
        exception when others then null;
        end;
      end loop;
    end $$`,
];
