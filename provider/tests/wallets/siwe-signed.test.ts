import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { checksummed } from '../../src/wallets/ethereum.ts';
import { formatSiwe, isSignedSiwe, type SiweExpected, type SiweMessage } from '../../src/wallets/siwe.ts';

/** Messages of EIP-4361 as a wallet signs them (EIP-191), each spoiled in one way and, where that matters, signed again. */

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const NOW = Date.parse('2030-01-01T12:00:00Z');

function wallet() {
  const key = secp256k1.utils.randomSecretKey();
  const address = checksummed(`0x${hex(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20))}`);
  const parts = (signed: string | Uint8Array) => {
    const bytes = Buffer.from(signed);
    const text = Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.length}`), bytes]);
    const [recovery = 0, ...rest] = secp256k1.sign(keccak_256(text), key, { prehash: false, format: 'recovered' });
    return { recovery, r: hex(Uint8Array.from(rest.slice(0, 32))), s: hex(Uint8Array.from(rest.slice(32))) };
  };
  const sign = (signed: string | Uint8Array): string => {
    const { recovery, r, s } = parts(signed);
    return `0x${r}${s}${(27 + recovery).toString(16)}`;
  };
  return { address, parts, sign };
}

const mine = wallet();
const stranger = wallet();
const EXPECTED: SiweExpected = {
  domain: 'app.example.com',
  nonce: 'k3Vr1TgQ9xLm2Zp7B',
  uriOrigin: 'https://app.example.com',
  chainIds: [1],
};
const FIELDS: SiweMessage = {
  domain: 'app.example.com',
  address: mine.address,
  statement: 'Sign in to the planner.',
  uri: 'https://app.example.com/login',
  version: '1',
  chainId: 1,
  nonce: 'k3Vr1TgQ9xLm2Zp7B',
  issuedAt: '2030-01-01T11:59:00Z',
  expirationTime: '2030-01-01T12:04:00Z',
};

function messageWith(fields: Partial<SiweMessage> = {}): string {
  const text = formatSiwe({ ...FIELDS, ...fields });
  if (text === null) throw new Error('The fields make no message.');
  return text;
}
const GOOD = messageWith();
const holds = (text: string, signature: string): boolean => isSignedSiwe(text, signature, EXPECTED, NOW);

describe('a signed message of EIP-4361', () => {
  it.each<[string, Partial<SiweMessage>]>([
    ['as it was asked for', {}],
    ['without a statement', { statement: undefined }],
    ['without an end', { expirationTime: undefined }],
    [
      'with a beginning, a request and resources',
      { notBefore: '2030-01-01T12:00:00Z', requestId: 'r1', resources: ['ipfs://x'] },
    ],
    ['in another time zone', { issuedAt: '2030-01-01T13:59:00+02:00' }],
    ['from a clock that is half a minute ahead', { issuedAt: '2030-01-01T12:00:30Z' }],
  ])('is taken %s', (_, fields) => {
    const text = messageWith(fields);
    expect(holds(text, mine.sign(text))).toBe(true);
  });

  it('is taken with the recovery byte of some wallets, and with digits in upper case', () => {
    const { recovery, r, s } = mine.parts(GOOD);
    expect(holds(GOOD, `0x${r}${s}0${recovery}`)).toBe(true);
    expect(holds(GOOD, `0x${(r + s).toUpperCase()}${(27 + recovery).toString(16)}`)).toBe(true);
  });

  it.each<[string, Partial<SiweMessage>]>([
    ['for another domain', { domain: 'evil.example' }],
    ['for a domain that begins as ours', { domain: 'app.example.com.evil.example' }],
    ['for our domain at another port', { domain: 'app.example.com:444' }],
    ['for our domain with a user', { domain: 'app.example.com@evil.example' }],
    ['for our domain in upper case', { domain: 'APP.example.com' }],
    ['with another nonce', { nonce: 'k3Vr1TgQ9xLm2Zp7C' }],
    ['with the nonce in another case', { nonce: 'K3VR1TGQ9XLM2ZP7B' }],
    ['with more after the nonce', { nonce: 'k3Vr1TgQ9xLm2Zp7B0' }],
    ['for a page elsewhere', { uri: 'https://evil.example/login' }],
    ['for a page of ours without TLS', { uri: 'http://app.example.com/login' }],
    ['for a page that only names ours', { uri: 'https://app.example.com@evil.example/' }],
    ['for another chain', { chainId: 5 }],
    ['that is over', { expirationTime: '2030-01-01T12:00:00Z' }],
    ['that has not begun', { notBefore: '2030-01-01T12:00:01Z' }],
    ['from the future', { issuedAt: '2030-01-01T12:02:00Z', expirationTime: undefined }],
    ['for another account', { address: stranger.address }],
  ])('is refused %s', (_, fields) => {
    const text = messageWith(fields);
    expect(holds(text, mine.sign(text))).toBe(false);
  });

  it.each<[string, string, string]>([
    ['changed after it was signed', GOOD.replace('planner', 'planners'), mine.sign(GOOD)],
    ['signed by somebody else', GOOD, stranger.sign(GOOD)],
    ['with line breaks of Windows', GOOD.replaceAll('\n', '\r\n'), mine.sign(GOOD.replaceAll('\n', '\r\n'))],
    ['with a line more', `${GOOD}\nAdmin: yes`, mine.sign(`${GOOD}\nAdmin: yes`)],
    ['with a space at its end', `${GOOD} `, mine.sign(`${GOOD} `)],
    ['signed as the hexadecimal text of itself', GOOD, mine.sign(`0x${Buffer.from(GOOD).toString('hex')}`)],
    ['of no message', '', mine.sign('')],
    ['with no signature', GOOD, ''],
    ['with a signature of zeros', GOOD, `0x${'00'.repeat(65)}`],
    ['with a signature that is cut', GOOD, mine.sign(GOOD).slice(0, -2)],
    ['with a signature that goes on', GOOD, `${mine.sign(GOOD)}00`],
    ['with a signature without 0x', GOOD, mine.sign(GOOD).slice(2)],
    ['with a line break after the signature', GOOD, `${mine.sign(GOOD)}\n`],
    ['with the recovery byte of a transaction', GOOD, `${mine.sign(GOOD).slice(0, -2)}25`],
  ])('is refused %s', (_, text, signature) => {
    expect(holds(text, signature)).toBe(false);
  });

  it('is refused with the upper half of s, or with the other point of r', () => {
    const { recovery, r, s } = mine.parts(GOOD);
    const high = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
    expect(holds(GOOD, `0x${r}${high}${(28 - recovery).toString(16)}`)).toBe(false);
    expect(holds(GOOD, `0x${r}${s}${(28 - recovery).toString(16)}`)).toBe(false);
    expect(holds(GOOD, `0x${CURVE_ORDER.toString(16)}${s}${(27 + recovery).toString(16)}`)).toBe(false);
  });
});
