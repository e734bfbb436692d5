/**
 * Lets PostgreSQL compress the pages that it writes to its log, which halves the log of a login. Only a superuser, or a role with the right
 * to this setting, may do that, and not every build has these methods; without it, all is as before. A value that somebody set stays.
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
