import { settings } from '#lib/server/auth.js';

/** What all pages may know. Nothing of the session itself is sent. */
export const load = ({ locals: { auth } }) => ({
  settings,
  email: auth.status === 'signed-in' ? (auth.user?.emails[0]?.email ?? '') : null,
});
