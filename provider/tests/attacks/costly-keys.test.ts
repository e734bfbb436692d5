import { base64url } from 'jose';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { currentNonce, judgeProof } from '#provider/accounts/sessions/proofs/proofs.ts';
import { ANY_DATABASE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';

const URL = 'https://api.example.com/sdk/v1/users/me';

describe('T222: a proof whose key costs much time', () => {
  const provider = suiteProvider(ANY_DATABASE);

  async function judged(modulusLength: number, publicExponent = 65_537) {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
    const jwk = publicKey.export({ format: 'jwk' });
    const claims = { htm: 'GET', htu: URL, iat: 1, jti: randomUUID(), nonce: currentNonce(provider.services) };
    const parts = [{ alg: 'RS256', typ: 'dpop+jwt', jwk }, claims].map((part) =>
      base64url.encode(JSON.stringify(part)),
    );
    const text = parts.join('.');
    const proof = `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
    return judgeProof(provider.services, proof, { method: 'GET', url: URL, isTimed: false });
  }

  it('is refused: a large exponent, which makes a check as slow as a signature', async () => {
    expect(await judged(2048)).toHaveProperty('jkt');
    expect(await judged(2048, 4_294_967_291)).toMatchObject({ fault: 'invalid' });
  });
});
