import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { createVerifier } from 'portico/server';
import { authenticate, authOf, requireAuth } from 'portico/server/express';

const port = Number(process.env.PORT ?? 8080);

// The local provider and its own project, unless the environment names others. The page gets the same address and token.
const settings = {
  apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100',
  publicToken: process.env.PORTICO_PUBLIC_TOKEN ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
};
const verifier = createVerifier({
  projectId: process.env.PORTICO_PROJECT_ID ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  ...settings,
});

const notes = new Map();

const app = express();
app.use(express.json());

app.get('/api/settings', (_request, response) => {
  response.json(settings);
});

// Everybody may ask who they are.
app.get('/api/me', authenticate(verifier), (request, response) => {
  response.json({ user_id: request.auth?.status === 'signed-in' ? request.auth.user_id : null });
});

// The JWT is checked here, without a request to the provider.
app.get('/api/note', requireAuth(verifier), (request, response) => {
  response.json({ note: notes.get(authOf(request).user_id) ?? '' });
});

// `fresh` calls the provider, which detects ended sessions at once.
app.put('/api/note', requireAuth(verifier, { fresh: true }), (request, response) => {
  notes.set(authOf(request).user_id, String(request.body?.note ?? ''));
  response.json({ saved: true });
});

app.get('/api/reports', requireAuth(verifier, { roles: ['editor'] }), (_request, response) => {
  response.json({ reports: ['Q1', 'Q2'] });
});

const here = dirname(fileURLToPath(import.meta.url));
app.use(
  '/vendor/portico',
  express.static(join(dirname(fileURLToPath(import.meta.resolve('portico/package.json'))), 'dist/script')),
);
app.use(express.static(join(here, 'public')));

app.listen(port, 'localhost', () => console.log(`Listening on http://localhost:${port}`));
