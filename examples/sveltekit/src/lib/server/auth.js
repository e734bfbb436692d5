import { error, redirect } from '@sveltejs/kit';
import { createVerifier } from 'portico/server';

/** The local provider's own project, unless the environment names another. The page gets them, too. */
export const settings = {
  apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100',
  publicToken: process.env.PORTICO_PUBLIC_TOKEN ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
};

/** One for the server: it keeps the keys and the policy. */
const verifier = createVerifier({
  projectId: process.env.PORTICO_PROJECT_ID ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  ...settings,
});

/** The sender of the request. `fresh` calls the provider for the user's name, and detects ended sessions at once. */
export const whoSent = (request) => verifier.authenticateRequest(request, { fresh: true });

/** The signed-in user of a guarded page; leads everybody else to the login. */
export function requireUser({ auth }) {
  if (auth.status === 'signed-in') return auth.user;
  if (auth.status === 'signed-out') redirect(303, '/login');
  error(auth.status === 'unavailable' ? 503 : 403);
}
