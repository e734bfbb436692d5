import { createVerifier } from 'portico/server';
import { createNextAuth } from 'portico/server/next';
import { API_URL, PROJECT_ID, PUBLIC_TOKEN } from './settings';

/** One for the server: it keeps the keys and the policy. */
const verifier = createVerifier({ projectId: PROJECT_ID, apiUrl: API_URL, publicToken: PUBLIC_TOKEN });

export const { auth, requireAuth, withAuth, proxy } = createNextAuth(verifier, { signInPath: '/login' });
