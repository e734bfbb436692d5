import { redirect } from '@tanstack/react-router';
import { createServerFn, createServerOnlyFn } from '@tanstack/react-start';
import { getRequest, setResponseHeader } from '@tanstack/react-start/server';
import { createVerifier } from 'portico/server';

/** The local provider's own project, unless the environment names another. The page gets them, too. */
const settings = createServerOnlyFn(() => ({
  apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100',
  publicToken: process.env.PORTICO_PUBLIC_TOKEN ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
}));

let verifier: ReturnType<typeof createVerifier> | undefined;

/** The sender of the request. `fresh` calls the provider for the user's name, and detects ended sessions at once. */
const whoSent = createServerOnlyFn(async () => {
  // One for the server: it keeps the keys and the policy.
  verifier ??= createVerifier({
    projectId: process.env.PORTICO_PROJECT_ID ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
    ...settings(),
  });
  setResponseHeader('Cache-Control', 'private, no-store');
  return verifier.authenticateRequest(getRequest(), { fresh: true });
});

/** What all pages may know. Nothing of the session itself is sent. */
export const visitor = createServerFn().handler(async () => {
  const who = await whoSent();
  return { settings: settings(), email: who.status === 'signed-in' ? (who.user?.emails[0]?.email ?? '') : null };
});

/** For the loader of a guarded page: the server checks each time, also when the page changes in the browser. */
export const requireUser = createServerFn().handler(async () => {
  const who = await whoSent();
  if (who.status === 'signed-in') return { id: who.user_id };
  if (who.status === 'signed-out') throw redirect({ to: '/login' });
  throw new Error(who.status === 'unavailable' ? 'Try again in a moment.' : 'You may not see this.');
});
