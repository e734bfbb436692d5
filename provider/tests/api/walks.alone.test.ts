import { expect, it } from 'vitest';
import { filesRun } from '#tests/unit/docs/files-run.ts';
import { faultsOf, walkOf } from '#tests/unit/docs/walks.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { ANY_DATABASE, basic } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

/** Each database has its own engine. */
const serverFilesRun = async (act: () => Promise<void>): Promise<readonly string[]> =>
  (await filesRun(act)).filter((name) => !name.startsWith('provider/src/base/db/engine/'));

const provider = suiteProvider(ANY_DATABASE);

it('the walk of a session’s check', async () => {
  const { session_token } = await provider.signIn('ada@example.com');
  const check = async (): Promise<void> => {
    const body = { session_duration_minutes: 60 };
    const { status } = await provider.post('/sessions/authenticate', body, { session: session_token });
    expect(status).toBe(200);
  };
  // The first check loads the signing keys.
  await check();
  expect(
    faultsOf(walkOf('One provider request, POST /sdk/v1/sessions/authenticate'), await serverFilesRun(check)),
  ).toEqual([]);
});

it('the walk of a user whom an app’s server makes', async () => {
  const make = (email: string) => async (): Promise<void> => {
    const reply = await provider.app.request('/v1/users', {
      method: 'POST',
      headers: {
        authorization: basic(provider.services.project.project_id, DEV_SECRET),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email, phone_number: '+12025550123' }),
    });
    expect(reply.status).toBe(200);
  };
  const ran = await serverFilesRun(make('grace@example.com'));
  expect(faultsOf(walkOf('One call of an app’s server, POST /v1/users'), ran)).toEqual([]);
});
