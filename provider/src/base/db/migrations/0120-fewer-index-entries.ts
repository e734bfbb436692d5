import type { StepwiseMigration } from '../migration.ts';

/**
 * Less for each write to do in indexes:
 *
 * - The parts of a text are those of its words. A search looks for words, so that parts with a space are never looked up; and an
 *   address, which is indexed as it is written and as it is compared, is mostly the same word twice. What an index has of older rows
 *   contains what a search needs.
 * - The log is read by network and number, never any more by network and time.
 * - A session without a family, as nearly all are, is in no index of families.
 */
export const FEWER_INDEX_ENTRIES: StepwiseMigration = {
  steps: [
    [
      `create or replace function text_grams(whole text) returns text[] language plpgsql immutable strict parallel safe as $$
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
       end $$`,
    ],
    [`drop index audit_log_network`],
    [`drop index sessions_family`],
  ],
};
