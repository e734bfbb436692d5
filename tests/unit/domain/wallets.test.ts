import { describe, expect, it } from 'vitest';
import { NEW_WALLETS } from '#presentation/parts/wallets/new-wallets.ts';
import { safeUrl } from '#domain/safe-url.ts';
import { mayBeSigned } from '#domain/wallets/siwe.ts';
import { WALLET_KINDS, WALLETS, walletSlots } from '#domain/wallets/wallets.ts';

const ORIGIN = 'https://app.example.com:8443';
const CHAINS = [
  ['ethereum', 'Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['solana', 'Solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
] as const;

describe('wallets', () => {
  it('are of Solana when they are Phantom or any other of Solana, else of Ethereum', () => {
    const solana = WALLET_KINDS.filter((kind) => WALLETS[kind].chain === 'solana');
    expect(WALLET_KINDS).toHaveLength(7);
    expect(solana).toEqual(['phantom', 'solana']);
  });

  it.each([
    [0, 5],
    [1, 4],
    [4, 1],
    [5, 0],
    [6, 0],
    [19, 0],
  ])('beside %d social logins get %d places on Main, the others wait behind', (providers, places) => {
    const { shown, others } = walletSlots(WALLET_KINDS, providers);
    expect(shown).toHaveLength(places);
    expect([...shown, ...others]).toEqual(WALLET_KINDS);
  });

  it('can be had from four places, by safe addresses', () => {
    expect(new Set(NEW_WALLETS.map(({ wallet }) => wallet)).size).toBe(4);
    for (const { url } of NEW_WALLETS) expect(safeUrl(url)).toBe(url);
  });
});

describe.each(CHAINS)('a challenge of %s', (chain, named, address) => {
  const siwe = (name: string): string =>
    `${name} wants you to sign in with your ${named} account:\n${address}\n\n\nURI: ${ORIGIN}`;

  it.each([
    ['app.example.com:8443', true],
    ['https://app.example.com:8443', true],
    ['app.example.com', false],
    ['evil.example', false],
    ['http://app.example.com:8443', false],
    ['app.example.com:8443.evil.example', false],
    ['user@app.example.com:8443', false],
    ['', false],
  ])('that names %j may be signed: %s', (name, may) => {
    expect(mayBeSigned(siwe(name), chain, ORIGIN, true)).toBe(may);
    expect(mayBeSigned(siwe(name), chain, ORIGIN, false)).toBe(may);
  });

  it('that names no site may be signed only where that is not required', () => {
    for (const text of ['Sign in.', '', '\n', '0x68', ORIGIN]) {
      expect(mayBeSigned(text, chain, ORIGIN, false)).toBe(true);
      expect(mayBeSigned(text, chain, ORIGIN, true)).toBe(false);
    }
  });

  it('that hides the name of another page behind other words, case or lines may not be signed', () => {
    for (const text of [
      `\n${siwe('app.example.com:8443')}`,
      `Hello\n${siwe('evil.example')}`,
      siwe('evil.example').toUpperCase(),
      siwe('app.example.com:8443').replace('\n', '\r\n'),
    ]) {
      expect(mayBeSigned(text, chain, ORIGIN, false)).toBe(false);
      expect(mayBeSigned(text, chain, ORIGIN, true)).toBe(false);
    }
  });

  it('of another chain may not be signed, whatever page it names', () => {
    const other = chain === 'solana' ? 'Ethereum' : 'Solana';
    for (const text of [siwe('app.example.com:8443').replace(named, other), siwe('evil.example').replace(named, 'X')]) {
      expect(mayBeSigned(text, chain, ORIGIN, false)).toBe(false);
    }
  });

  it('may not be signed on a page without an origin', () => {
    expect(mayBeSigned(siwe('null'), chain, 'null', true)).toBe(false);
  });
});
