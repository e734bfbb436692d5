import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { describe, expect, it } from 'vitest';
import { FakeWebauthn } from '#kit/ports/fake-webauthn.ts';

const ORIGIN = 'https://app.example.com';
const CHALLENGE = 'Y2hhbGxlbmdlLWNoYWxsZW5nZQ';

const creation = (changes: object = {}): string =>
  JSON.stringify({
    rp: { id: 'example.com', name: 'A project' },
    user: { id: 'dXNlcg', name: 'ada@example.com', displayName: 'Ada' },
    challenge: CHALLENGE,
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    ...changes,
  });
const request = (changes: object = {}): string =>
  JSON.stringify({ challenge: CHALLENGE, rpId: 'example.com', ...changes });

type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]['response'];
type AssertionResponse = Parameters<typeof verifyAuthenticationResponse>[0]['response'];

const expected = {
  expectedChallenge: CHALLENGE,
  expectedOrigin: ORIGIN,
  expectedRPID: 'example.com',
  requireUserVerification: true,
};

describe('SoftAuthenticator', () => {
  it('makes passkeys and signatures that a real server accepts, twenty times over', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const webauthn = new FakeWebauthn({ origin: ORIGIN });
      const made = JSON.parse(await webauthn.create(creation())) as RegistrationResponse;
      const { verified, registrationInfo } = await verifyRegistrationResponse({ ...expected, response: made });
      expect(verified).toBe(true);
      const got = JSON.parse(await webauthn.get(request(), 'modal')) as AssertionResponse;
      const { credential } = registrationInfo!;
      const asserted = await verifyAuthenticationResponse({ ...expected, response: got, credential });
      expect([asserted.verified, got.id]).toEqual([true, made.id]);
    }
  });

  it('refuses a name that is not the page’s, and a second passkey where the first is excluded', async () => {
    const webauthn = new FakeWebauthn({ origin: ORIGIN });
    for (const id of ['evil.example', 'ample.com', 'b.app.example.com']) {
      const foreign = webauthn.create(creation({ rp: { id, name: 'n' } }));
      await expect(foreign).rejects.toMatchObject({ name: 'SecurityError' });
    }
    const { id } = JSON.parse(await webauthn.create(creation())) as RegistrationResponse;
    const again = webauthn.create(creation({ excludeCredentials: [{ type: 'public-key', id }] }));
    await expect(again).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('answers with the newest passkey of the name, or with the requested one', async () => {
    const webauthn = new FakeWebauthn({ origin: ORIGIN });
    const [first, second] = [
      JSON.parse(await webauthn.create(creation())) as RegistrationResponse,
      JSON.parse(await webauthn.create(creation())) as RegistrationResponse,
    ];
    const chosen = async (json: string): Promise<string> =>
      (JSON.parse(await webauthn.get(json, 'modal')) as AssertionResponse).id;
    expect(await chosen(request())).toBe(second.id);
    expect(await chosen(request({ allowCredentials: [{ type: 'public-key', id: first.id }] }))).toBe(first.id);
    webauthn.authenticator.clear();
    await expect(chosen(request())).rejects.toMatchObject({ name: 'NotAllowedError' });
  });
});
