import { describe, expect, it } from 'vitest';
import { BrowserWebauthn } from '#infrastructure/passkeys/browser-webauthn.ts';

const REQUEST = JSON.stringify({ challenge: 'Y2hhbGxlbmdl', rpId: 'localhost' });
const CREATION = JSON.stringify({
  rp: { id: 'localhost', name: 'A project' },
  user: { id: 'dXNlcg', name: 'ada@example.com', displayName: 'Ada' },
  challenge: 'Y2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
});
const RAW = Uint8Array.of(251, 255, 0).buffer;

const webauthnOf = (page: object): BrowserWebauthn => new BrowserWebauthn(page as Window);
const fail = (): never => {
  throw new TypeError('Illegal invocation');
};

describe('a browser', () => {
  it.each([
    ['without passkeys', { navigator: { credentials: { create: fail, get: fail } } }],
    ['without credentials, as on a page over http', { navigator: {}, PublicKeyCredential: {} }],
  ])('%s supports no ceremony', async (_, page) => {
    await expect(webauthnOf(page).create(CREATION)).rejects.toMatchObject({ name: 'NotSupportedError' });
    await expect(webauthnOf(page).get(REQUEST, 'modal')).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it.each([
    ['lacks them', undefined],
    ['rejects', async () => Promise.reject(new DOMException('a foreign domain', 'SecurityError'))],
    ['throws', fail],
  ])('hears of passkeys as a hint alone: it is no fault that it %s', async (_, signal) => {
    const signals = {
      signalUnknownCredential: signal,
      signalAllAcceptedCredentials: signal,
      signalCurrentUserDetails: signal,
    };
    for (const page of [{ PublicKeyCredential: signals }, {}]) {
      const webauthn = webauthnOf(page);
      const ends = [
        webauthn.signalUnknown('localhost', 'AAAA'),
        webauthn.signalAccepted('localhost', 'AAAA', ['AAAA']),
        webauthn.signalDetails('localhost', 'AAAA', { name: 'ada@example.com', displayName: 'Ada' }),
      ];
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await Promise.all(ends)).toEqual([undefined, undefined, undefined]);
    }
  });
});

describe('a ceremony', () => {
  it('ends the one before it, and not the other way round, however many begin', async () => {
    const get = async () => new Promise(() => undefined);
    const webauthn = webauthnOf({ navigator: { credentials: { get } }, PublicKeyCredential: {} });
    const ended: number[] = [];
    for (let one = 0; one < 4; one += 1) {
      webauthn.get(REQUEST, 'modal').catch(() => ended.push(one));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await new Promise((resolve) => void setTimeout(resolve, 0));
    }
    expect(ended).toEqual([0, 1, 2]);
  });

  it('that creates a passkey sends what the browser tells of it', async () => {
    const response = {
      clientDataJSON: RAW,
      attestationObject: RAW,
      getTransports: () => ['internal', 'hybrid'],
      getPublicKeyAlgorithm: () => -7,
      getPublicKey: () => RAW,
      getAuthenticatorData: () => RAW,
    };
    const credential = { id: '-_8A', rawId: RAW, type: 'public-key', authenticatorAttachment: 'platform', response };
    const create = async () => credential;
    const webauthn = webauthnOf({ navigator: { credentials: { create } }, PublicKeyCredential: {} });
    expect(JSON.parse(await webauthn.create(CREATION))).toEqual({
      id: '-_8A',
      rawId: '-_8A',
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: '-_8A',
        attestationObject: '-_8A',
        transports: ['internal', 'hybrid'],
        publicKeyAlgorithm: -7,
        publicKey: '-_8A',
        authenticatorData: '-_8A',
      },
    });
  });
});
