/**
 * All three-character parts of a text's words, in lower case. An index on them finds texts that contain another one, like the extension
 * pg_trgm, which not every installation has and only some roles may add. A search looks for words, so parts with a space are never needed.
 * An address is indexed as it is written and as it is compared, which is mostly the same word twice. The array may have duplicates and any
 * order, because the index stores each part once and compares sets. A loop takes half as long as a query.
 */
const TEXT_GRAMS = `create function text_grams(whole text) returns text[] language plpgsql immutable strict parallel safe as $$
       declare
         word text;
         previous text := '';
         grams text[] := '{}';
       begin
         foreach word in array string_to_array(lower(whole), ' ') loop
           if word <> previous then
             for i in 1 .. length(word) - 2 loop grams := grams || substr(word, i, 3); end loop;
             previous := word;
           end if;
         end loop;
         return grams;
       end $$`;

/**
 * `folded` is a text in lower case by the rules of Unicode, for searches. A database in the locale `C` folds only English letters, and one
 * in Turkish folds `I` to another letter. There the function uses an explicit collation, and the parts of texts come from folded texts. A
 * database without such a collation keeps its own rules.
 */
const FOLDED = `do $do$
declare
  folds boolean := lower('IÉЖ') = 'iéж';
  chosen text := '';
  found text;
begin
  if not folds then
    for found in
      select quote_ident(collname) from pg_collation join pg_namespace n on n.oid = collnamespace and nspname = 'pg_catalog'
        where collname in ('pg_c_utf8', 'und-x-icu', 'C.utf8', 'en_US.utf8')
          and collencoding in (-1, (select encoding from pg_database where datname = current_database()))
        order by array_position(array['pg_c_utf8', 'und-x-icu', 'C.utf8', 'en_US.utf8'], collname::text)
    loop
      begin
        execute format('select lower(''IÉЖ'' collate pg_catalog.%s) = ''iéж''', found) into folds;
      exception when others then folds := false;
      end;
      if folds then
        chosen := ' collate pg_catalog.' || found;
        exit;
      end if;
    end loop;
  end if;
  execute format('create function folded(whole text) returns text language sql immutable strict parallel safe
    as $$ select lower(whole%s) $$', chosen);
  if chosen <> '' then
    create or replace function text_grams(whole text) returns text[] language plpgsql immutable strict parallel safe as $$
      declare
        word text;
        previous text := '';
        grams text[] := '{}';
      begin
        foreach word in array string_to_array(folded(whole), ' ') loop
          if word <> previous then
            for i in 1 .. length(word) - 2 loop grams := grams || substr(word, i, 3); end loop;
            previous := word;
          end if;
        end loop;
        return grams;
      end $$;
  end if;
end $do$`;

/** The functions for text search. */
export const TEXTS: readonly string[] = [TEXT_GRAMS, FOLDED];
