import { afterAll, beforeAll, expect, it } from 'vitest';
import { createVerifier } from '#composition/server.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { startBackend, type Backend } from '../kit/backend.ts';
import { ANY_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { SETTINGS } from '../kit/idp-harness.ts';

const project = projectFrom(SETTINGS);
let backend: Backend;
beforeAll(async () => {
  backend = await startBackend(ANY_DATABASE, { project });
});
afterAll(() => backend.close());

/** The areas of the SDK that have no endpoints here: fraud checks, metrics, and a check of the secret. */
const ELSEWHERE: ReadonlySet<string> = new Set(['debug', 'fraud', 'project']);

type Method = (argument: unknown, options: unknown) => Promise<unknown>;

/** The methods of an area and of those within it, by their names. */
function methodsOf(area: object, name: string): readonly (readonly [name: string, call: Method])[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(area)).filter((method) => method !== 'constructor');
  const inner = Object.entries(area).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'fetchConfig' in value,
  );
  return [
    ...own.map((method) => [`${name}.${method}`, (area as Record<string, Method>)[method]?.bind(area)] as const),
    ...inner.flatMap(([field, value]) => methodsOf(value as object, `${name}.${field}`)),
  ].filter((method): method is readonly [string, Method] => method[1] !== undefined);
}

it('every method of the public backend SDK has an endpoint, but for other products', async () => {
  const areas = Object.entries(backend.client).filter(
    ([name, area]) => !ELSEWHERE.has(name) && typeof area === 'object' && 'fetchConfig' in area,
  );
  const methods = areas.flatMap(([name, area]) => methodsOf(area as object, name));
  expect(methods.length).toBeGreaterThan(80);
  // Every field is a text: a call gets as far as its endpoint.
  const fields = new Proxy({}, { get: (_target, field) => (field === 'toJSON' ? () => ({}) : 'x') });
  const answers = await Promise.all(
    methods.map(async ([name, call]): Promise<[string, unknown]> => {
      try {
        await call(fields, fields);
        return [name, 200];
      } catch (error) {
        return [name, (error as Fields)['error_type']];
      }
    }),
  );
  const missing = answers.filter(([, type]) => type === 'route_not_found' || type === 'method_not_allowed');
  expect(missing).toEqual([]);
  expect(answers.filter(([, type]) => type === 'internal_server_error')).toEqual([]);
});

const after = (ms: number, task: () => void) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};
const verifierWith = (secret: string) =>
  createVerifier({
    projectId: project.project_id,
    apiUrl: backend.url,
    secret,
    adapters: { clock: { now: () => backend.provider.clock.time, after } },
  });
const bearing = (secret: unknown) =>
  new Request('https://app.example/', { headers: { authorization: `Bearer ${String(secret)}` } });

it('the verifier of an app’s server asks this API with a project secret', async () => {
  const verifier = verifierWith(DEV_SECRET);
  const { user_id, session_token, session_jwt } = await backend.provider.signIn('edith@example.com');
  const signedIn = { status: 'signed-in', user_id, roles: ['editor'], source: 'api' };
  expect(await verifier.authenticateRequest(bearing(session_token))).toMatchObject(signedIn);
  const permission = { resource_id: 'documents', action: 'write' };
  expect(await verifier.authenticateRequest(bearing(session_token), { permission })).toMatchObject(signedIn);
  const purge = { permission: { resource_id: 'documents', action: 'delete' } };
  expect(await verifier.authenticateRequest(bearing(session_token), purge)).toMatchObject({ status: 'forbidden' });

  await backend.client.sessions.authenticate({
    session_token: String(session_token),
    session_custom_claims: { plan: 'gold' },
  });
  backend.provider.clock.time += 10 * MINUTE;
  const late = await verifier.authenticateRequest(bearing(session_jwt));
  expect(late).toMatchObject({ ...signedIn, claims: { plan: 'gold' } });
  await backend.client.sessions.revoke({ session_jwt: String(session_jwt) });
  for (const secret of [session_token, session_jwt]) {
    expect(await verifier.authenticateRequest(bearing(secret))).toEqual({
      status: 'signed-out',
      reason: 'session-ended',
    });
  }
  // A wrong project secret signs nobody out.
  const refused = await verifierWith('secret-test-wrong').authenticateRequest(bearing(session_token));
  expect(refused).toMatchObject({ status: 'unavailable', needs: 'session' });
});
