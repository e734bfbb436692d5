import { requireUser } from '#lib/server/auth.js';

/** A guard for each page: SvelteKit does not run the load function of a layout again at every navigation. */
export function load({ locals }) {
  const user = requireUser(locals);
  return { id: user?.user_id ?? '' };
}
