import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { makeTarget, uniqueEmail } from '../attacks/attacker.ts';
import { basic, EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';

/** The policy of one user, which the app's own server sets. */
async function setPolicy(provider: Provider, email: string, mfa_policy: string) {
  const { user_id } = await provider.signIn(email);
  const reply = await provider.app.request(`/v1/users/${String(user_id)}`, {
    method: 'PUT',
    headers: {
      authorization: basic(provider.services.project.project_id, DEV_SECRET),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ mfa_policy }),
  });
  const body = (await reply.json()) as Fields;
  return { status: reply.status, user: body['user'] as Fields, details: body['error_details'] as Fields };
}

describe.each(EITHER_DATABASE)('the policy of one user, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled' } });
  });
  afterAll(() => provider.close());

  it('is one of three, and another one is refused by the name of the field', async () => {
    const email = uniqueEmail('user');
    expect(await setPolicy(provider, email, 'required')).toMatchObject({
      status: 200,
      user: { mfa_policy: 'required' },
    });
    const wrong = await setPolicy(provider, uniqueEmail('wrong'), 'always');
    expect([wrong.status, wrong.details]).toEqual([
      400,
      { mfa_policy: 'mfa_policy must be when_enrolled, required or project' },
    ]);
  });

  it.each([{}, { mfa: { policy: 'off' } }])('is refused where it would have no effect (%j)', async (settings) => {
    const off = await makeTarget(url, {}, settings);
    try {
      for (const policy of ['required', 'when_enrolled']) {
        const refused = await setPolicy(off, uniqueEmail('off'), policy);
        expect([refused.status, Object.keys(refused.details)]).toEqual([400, ['mfa_policy']]);
      }
      expect((await setPolicy(off, uniqueEmail('off'), 'project')).status).toBe(200);
    } finally {
      await off.close();
    }
  });
});
