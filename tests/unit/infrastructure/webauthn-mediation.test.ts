import { describe, expect, it, vi } from 'vitest';
import { BrowserWebauthn } from '#infrastructure/passkeys/browser-webauthn.ts';

const CREATION = JSON.stringify({
  rp: { id: 'localhost', name: 'A project' },
  user: { id: 'dXNlcg', name: 'ada@example.com', displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
});
const CREDENTIAL = { id: '-_8A', rawId: Uint8Array.of(251, 255, 0).buffer, type: 'public-key', response: {} };

type Ceremony = (options: object) => Promise<unknown>;

function world(PublicKeyCredential: object | undefined = {}) {
  const [create, get] = [vi.fn<Ceremony>(async () => CREDENTIAL), vi.fn<Ceremony>(async () => CREDENTIAL)];
  const page = { navigator: { credentials: { create, get } }, PublicKeyCredential } as unknown as Window;
  return { create, get, webauthn: new BrowserWebauthn(page) };
}

describe('BrowserWebauthn, with the ceremonies that ask nobody or only this device', () => {
  it('asks for a creation without a question only where it is conditional', async () => {
    const { create, webauthn } = world();
    await webauthn.create(CREATION);
    await webauthn.create(CREATION, undefined, 'conditional');
    expect(create.mock.calls.map(([options]) => options)).toMatchObject([{}, { mediation: 'conditional' }]);
    expect(create.mock.calls[0]?.[0]).not.toHaveProperty('mediation');
  });

  it('asks for passkeys of this device alone only where it is immediate', async () => {
    const { get, webauthn } = world();
    const request = JSON.stringify({ challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' });
    for (const mediation of ['modal', 'conditional', 'immediate'] as const) await webauthn.get(request, mediation);
    const modes = get.mock.calls.map(([options]) =>
      Object.keys(options).filter((name) => /uiMode|mediation/u.test(name)),
    );
    expect(modes).toEqual([[], ['mediation'], ['uiMode']]);
    expect(get.mock.calls[2]?.[0]).toMatchObject({ uiMode: 'immediate' });
  });

  it('reports a capability only where the browser does, and none when asking fails', async () => {
    const answers: readonly (readonly [unknown, boolean])[] = [
      [async () => ({ conditionalCreate: true }), true],
      [async () => ({ conditionalCreate: false, immediateGet: true }), false],
      [async () => ({ conditionalCreate: 'yes' }), false],
      [async () => ({}), false],
      [async () => null, false],
      [() => Promise.reject(new Error('no')), false],
      [undefined, false],
    ];
    for (const [getClientCapabilities, expected] of answers) {
      const { webauthn } = world({ getClientCapabilities });
      expect(await webauthn.isCapable('conditionalCreate')).toBe(expected);
    }
    expect(await new BrowserWebauthn({} as Window).isCapable('conditionalCreate')).toBe(false);
  });
});
