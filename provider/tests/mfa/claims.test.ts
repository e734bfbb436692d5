import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, fromServer, makeTarget, MINUTES, uniqueEmail } from '../attacks/attacker.ts';
import { EITHER_DATABASE, type Fields, type Provider } from '../kit/harness.ts';
import { makeGuarded } from '../kit/second-step.ts';

describe.each(EITHER_DATABASE)('the custom claims of a server’s login in two steps, on %s', (_, url) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(url, {}, { mfa: { policy: 'when_enrolled', factors: ['totp'] } });
  });
  afterAll(() => provider.close());

  /** Enters both factors. */
  async function logIn(first: Fields | undefined, second?: Fields) {
    const user = await makeGuarded(provider, uniqueEmail('claims'));
    const { method_id, code } = await provider.sendCode(user.email);
    const begin = async (session_custom_claims?: Fields) =>
      fromServer(provider, '/otps/authenticate', { method_id, code, ...MINUTES, session_custom_claims });
    const begun = await begin(first);
    const { user_id, intermediate_session_token } = begun.body;
    const totp = { user_id, totp_code: codeOf(provider, user.secret), intermediate_session_token };
    const end = async () => fromServer(provider, '/totps/authenticate', { ...totp, session_custom_claims: second });
    return { begin, begun, end };
  }

  it.each([
    ['too long', { plan: 'x'.repeat(1_100) }],
    ['of a reserved name', { iss: 'me' }],
  ])('are refused in the step that sets them: %s', async (__, claims) => {
    const { begun, begin } = await logIn(claims);
    expect([begun.status, begun.body['error_type']]).toEqual([400, 'invalid_session_custom_claims']);
    // The passcode is not used up.
    expect((await begin({ plan: 'gold' })).status).toBe(200);
  });

  it.each([
    [{ plan: 'gold' }, undefined, { plan: 'gold' }],
    [undefined, { plan: 'gold' }, { plan: 'gold' }],
    [
      { plan: 'gold', seat: 1, tier: 2 },
      { seat: 2, tier: null, late: true },
      { plan: 'gold', seat: 2, late: true },
    ],
  ])('are those of both: %j and %j', async (first, second, custom_claims) => {
    const { end } = await logIn(first, second);
    const { status, body } = await end();
    expect([status, body['session']?.custom_claims]).toEqual([200, custom_claims]);
  });
});
