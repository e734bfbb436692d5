/**
 * The parts of three characters of a text, in lower case: an index on them finds texts that contain another one. It is what the
 * extension pg_trgm does, which not every installation has and only some roles may add.
 */
export const TEXT_GRAMS: readonly string[] = [
  `create function text_grams(whole text) returns text[] language sql immutable strict parallel safe as $$
     select coalesce(array_agg(distinct substr(l, i, 3)), '{}') from lower(whole) as l, generate_series(1, length(l) - 2) as i
   $$`,
];
