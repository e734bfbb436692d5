/**
 * The parts of each word of a text, in lower case. A search looks for words, so that parts with a space are never looked up; and an
 * address, which is indexed as it is written and as it is compared, is mostly the same word twice. What the index has of older rows
 * contains what it needs.
 */
export const GRAMS_OF_WORDS: readonly string[] = [
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
];
