import { createVerifier } from 'portico/server';
import { createNextAuth } from 'portico/server/next';

/** Replaces the backend SDK's client: it checks the JWT of the cookies, and calls the provider only when necessary. */
const verifier = createVerifier({
  projectId: process.env['PORTICO_PROJECT_ID'] ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  apiUrl: process.env['NEXT_PUBLIC_PORTICO_API_URL'] ?? 'http://localhost:4100',
  publicToken:
    process.env['NEXT_PUBLIC_PORTICO_PUBLIC_TOKEN'] ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
});

export const { requireAuth } = createNextAuth(verifier, { signInPath: '/' });
