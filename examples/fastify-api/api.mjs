/** The API, on a separate origin. */
import cors from '@fastify/cors';
import Fastify from 'fastify';
import { createVerifier, refusalOf } from 'portico/server';

const port = Number(process.env.PORT ?? 8081);
const pageOrigin = process.env.PAGE_ORIGIN ?? 'http://localhost:8080';

// The local provider and its own project, unless the environment names others.
const verifier = createVerifier({
  projectId: process.env.PORTICO_PROJECT_ID ?? 'project-test-d1e70000-0000-4000-8000-000000000000',
  apiUrl: process.env.PORTICO_API_URL ?? 'http://localhost:4100',
  publicToken: process.env.PORTICO_PUBLIC_TOKEN ?? 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  origins: [pageOrigin],
});

const app = Fastify();

// Scripts of this origin alone may send the header and read the answers.
await app.register(cors, {
  origin: [pageOrigin],
  methods: ['GET', 'PUT'],
  allowedHeaders: ['authorization', 'content-type'],
});

app.decorateRequest('auth', null);

/** Continues with a signed-in user as `request.auth`, or answers 401, 403 or 503. */
const requireAuth = (requirements) => async (request, reply) => {
  const who = await verifier.authenticateRequest(request.raw, requirements);
  reply.header('Cache-Control', 'private, no-cache');
  if (who.status === 'signed-in') {
    request.auth = who;
    return;
  }
  const { status, headers, body } = refusalOf(who);
  await reply.code(status).headers(headers).send(body);
};

const notes = new Map();

app.get('/note', { onRequest: requireAuth() }, (request) => ({ note: notes.get(request.auth.user_id) ?? '' }));

// `fresh` calls the provider, which detects ended sessions at once.
app.put('/note', { onRequest: requireAuth({ fresh: true }) }, (request) => {
  notes.set(request.auth.user_id, String(request.body?.note ?? ''));
  return { saved: true };
});

app.get('/reports', { onRequest: requireAuth({ roles: ['editor'] }) }, () => ({ reports: ['Q1', 'Q2'] }));

await app.listen({ port, host: 'localhost' });
console.log(`Listening on http://localhost:${port}`);
