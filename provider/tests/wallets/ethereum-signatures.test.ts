import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { checksummed, ethereumSigner } from '#provider/accounts/wallets/ethereum.ts';
import { formatSiwe } from '../kit/siwe.ts';

/** Signatures of a text by a wallet (EIP-191), each spoiled in one way. */

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

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
const GOOD =
  formatSiwe({
    domain: 'app.example.com',
    address: mine.address,
    statement: 'Sign in to the planner.',
    uri: 'https://app.example.com/login',
    version: '1',
    chainId: 1,
    nonce: 'k3Vr1TgQ9xLm2Zp7B',
    issuedAt: '2030-01-01T11:59:00Z',
  }) ?? '';
const isSigned = (text: string, signature: string): boolean => ethereumSigner(text, signature) === mine.address;

describe('the signature of an Ethereum account', () => {
  it('is accepted with the recovery byte of some wallets, and with digits in upper case', () => {
    const { recovery, r, s } = mine.parts(GOOD);
    expect(isSigned(GOOD, `0x${r}${s}0${recovery}`)).toBe(true);
    expect(isSigned(GOOD, `0x${(r + s).toUpperCase()}${(27 + recovery).toString(16)}`)).toBe(true);
  });

  it.each<[string, string, string]>([
    ['changed after it was signed', GOOD.replace('planner', 'planners'), mine.sign(GOOD)],
    ['signed by somebody else', GOOD, stranger.sign(GOOD)],
    ['signed as the hexadecimal text of itself', GOOD, mine.sign(`0x${Buffer.from(GOOD).toString('hex')}`)],
    ['with no signature', GOOD, ''],
    ['with a signature of zeros', GOOD, `0x${'00'.repeat(65)}`],
    ['with a signature that is cut', GOOD, mine.sign(GOOD).slice(0, -2)],
    ['with a signature that goes on', GOOD, `${mine.sign(GOOD)}00`],
    ['with a signature without 0x', GOOD, mine.sign(GOOD).slice(2)],
    ['with a line break after the signature', GOOD, `${mine.sign(GOOD)}\n`],
    ['with the recovery byte of a transaction', GOOD, `${mine.sign(GOOD).slice(0, -2)}25`],
  ])('is rejected %s', (_, text, signature) => {
    expect(isSigned(text, signature)).toBe(false);
  });

  it('is rejected with the upper half of s, or with the other point of r', () => {
    const { recovery, r, s } = mine.parts(GOOD);
    const high = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
    expect(isSigned(GOOD, `0x${r}${high}${(28 - recovery).toString(16)}`)).toBe(false);
    expect(isSigned(GOOD, `0x${r}${s}${(28 - recovery).toString(16)}`)).toBe(false);
    expect(isSigned(GOOD, `0x${CURVE_ORDER.toString(16)}${s}${(27 + recovery).toString(16)}`)).toBe(false);
  });
});
