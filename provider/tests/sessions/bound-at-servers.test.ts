import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// Loaded beforehand: the report after a login must not still be on its way when a test ends.
import '#application/use-cases/passkeys/passkey-reports.ts';
import { proofFor } from '#composition/bound.ts';
import { PorticoClient } from '#composition/client.ts';
import { createVerifier, type VerifierOptions } from '#composition/server.ts';
import { WebCrypto } from '#infrastructure/browser/web-crypto.ts';
import { FakeBindingKeys } from '#kit/ports/fake-binding-keys.ts';
import { FakeWorld } from '#kit/fake-world.ts';
import { MemoryLog } from '#kit/ports/memory-log.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { BoundFetch } from '#infrastructure/http/bound-fetch.ts';
import { KyTransport } from '#infrastructure/http/ky-transport.ts';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { makeTarget, uniqueEmail } from '../attacks/attacker.ts';
import { ANY_DATABASE, PUBLIC_TOKEN, type Provider } from '../kit/harness.ts';
import { ISSUER } from '../kit/idp-harness.ts';

const PAY = 'https://shop.example/pay';

describe('T223: a copied JWT of a bound session at the app’s own server', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await makeTarget(ANY_DATABASE);
  });
  afterAll(() => provider.close());

  /** A login of the client with a key of its own, and the tokens that its page can read. */
  async function signIn() {
    const world = new FakeWorld(new VirtualClock(provider.clock.time));
    const [keys, log] = [new FakeBindingKeys(), new MemoryLog()];
    const scope = {
      fetch: async (request: Request, init?: RequestInit) => provider.app.request(new Request(request, init)),
    };
    const parts = { keys, clock: world.clock, crypto: new WebCrypto(globalThis.crypto), log, isRequired: true };
    const transport = new KyTransport(new BoundFetch(() => scope, parts));
    const adapters = { ...world.tab('http://localhost:3000/'), transport, log };
    const client = new PorticoClient(PUBLIC_TOKEN, { apiUrl: ISSUER, adapters, telemetry: false });
    const email = uniqueEmail('client');
    const { method_id } = await client.otps.email.loginOrCreate(email);
    const code = (await provider.newest(email))?.code ?? '';
    await client.otps.authenticate(code, method_id, { session_duration_minutes: 60 });
    const tokens = client.session.getTokens();
    client.destroy();
    return { keys, token: String(tokens?.session_token), jwt: String(tokens?.session_jwt) };
  }

  const verifierWith = (options: Partial<VerifierOptions>) =>
    createVerifier({
      projectId: provider.services.project.project_id,
      apiUrl: ISSUER,
      boundSessions: 'check',
      serverUrls: ['https://shop.example'],
      fetch: async (address, init) => provider.app.request(address, init),
      adapters: { clock: { now: () => provider.clock.time, after: () => () => undefined } },
      ...options,
    });

  it('counts with the proof of the page alone, once, also where the provider is asked', async () => {
    const owner = await signIn();
    const thief = await signIn();
    const verifier = verifierWith({ secret: DEV_SECRET });
    const pay = async (keys: FakeBindingKeys | null, fresh = false) => {
      const { jwt: token } = owner;
      const call = { publicToken: PUBLIC_TOKEN, method: 'POST', url: PAY, token };
      const dpop = keys === null ? null : await proofFor({ ...call, keys });
      const headers = { authorization: `DPoP ${token}`, ...(dpop !== null && { dpop }) };
      const request = () => new Request(PAY, { method: 'POST', headers });
      const [first, again] = [
        await verifier.authenticateRequest(request(), { fresh }),
        await verifier.authenticateRequest(request(), { fresh }),
      ];
      return [first, again].map((found) => ('reason' in found ? found.reason : found.status));
    };
    expect(await pay(owner.keys)).toEqual(['signed-in', 'used-proof']);
    expect(await pay(owner.keys, true)).toEqual(['signed-in', 'used-proof']);
    expect(await pay(null)).toEqual(['proof-required', 'proof-required']);
    expect(await pay(thief.keys)).toEqual(['invalid-proof', 'invalid-proof']);
    expect(await pay(thief.keys, true)).toEqual(['invalid-proof', 'invalid-proof']);
  });

  it('a token without its JWT is that of no session for a server that asks with the public token', async () => {
    const { token } = await signIn();
    const verifier = verifierWith({ publicToken: PUBLIC_TOKEN });
    const found = await verifier.authenticateRequest({ headers: { authorization: `Bearer ${token}` } });
    expect(found).toEqual({ status: 'signed-out', reason: 'session-ended' });
  });
});
