import { describe, expect, it } from 'vitest';
import { isTimely } from '#server-rules/sign-in-message.ts';
import { checksummed, ethereumAddress, ethereumSigner } from '#provider/accounts/wallets/ethereum.ts';
import { formatSiwe, parseSiwe } from '../kit/siwe.ts';

/** The example with all of its fields in EIP-4361, with an address that EIP-55 allows. */
const EXAMPLE = `example.com:3388 wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Expiration Time: 2021-09-30T16:35:24Z
Not Before: 2021-09-30T16:25:24Z
Request ID: some_id
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`;

describe('EIP-4361', () => {
  it('reads the example of the standard, and writes it again', () => {
    const message = parseSiwe(EXAMPLE);
    expect(message).toMatchObject({ domain: 'example.com:3388', chainId: 1, nonce: '32891756', requestId: 'some_id' });
    expect(message?.resources).toHaveLength(2);
    expect(message === null ? null : formatSiwe(message)).toBe(EXAMPLE);
  });

  it('leaves out what is optional', () => {
    const text = EXAMPLE.replace(/\nExpiration[^]*$/u, '').replace(/I accept.*\n/u, '');
    const message = parseSiwe(text);
    expect(message).toMatchObject({ statement: undefined, expirationTime: undefined, resources: undefined });
    expect(message === null ? null : formatSiwe(message)).toBe(text);
  });

  it.each([
    ['a scheme before the domain', (text: string) => `https://${text}`],
    ['an IPv6 domain', (text: string) => text.replace('example.com:3388', '[::1]:3388')],
    ['a zone', (text: string) => text.replace('16:25:24Z\nExp', '16:25:24-02:00\nExp')],
    ['an empty request id', (text: string) => text.replace('some_id', '')],
  ])('reads %s', (_, change) => {
    expect(parseSiwe(change(EXAMPLE))).not.toBeNull();
  });

  it.each([
    ['nothing', () => ''],
    ['a line break at the end', (text: string) => `${text}\n`],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['another chain', (text: string) => text.replace('Ethereum', 'Solana')],
    ['no domain', (text: string) => text.replace('example.com:3388', '')],
    ['a path in the domain', (text: string) => text.replace('example.com:3388', 'example.com/x')],
    ['an address in lower case', (text: string) => text.replace(/0x\w{40}/u, (address) => address.toLowerCase())],
    ['two lines of statement', (text: string) => text.replace('Service: ', 'Service:\n')],
    ['a statement in Unicode', (text: string) => text.replace('accept', 'äccept')],
    ['no address for a URI', (text: string) => text.replace('https://example.com/login', '/login')],
    ['a broken percent-encoding', (text: string) => text.replace('example.com/login', 'example.com/%zz')],
    ['version 2', (text: string) => text.replace('Version: 1', 'Version: 2')],
    ['a hexadecimal chain', (text: string) => text.replace('Chain ID: 1', 'Chain ID: 0x1')],
    ['a short nonce', (text: string) => text.replace('32891756', '3289175')],
    ['a nonce with a dash', (text: string) => text.replace('32891756', '3289-1756')],
    ['30 February', (text: string) => text.replace('2021-09-30T16:25:24Z\nExp', '2021-02-30T16:25:24Z\nExp')],
    ['hour 24', (text: string) => text.replace('T16:35', 'T24:35')],
    ['a time without a zone', (text: string) => text.replace('16:35:24Z', '16:35:24')],
    ['fields in another order', (text: string) => text.replace(/(Version: 1)\n(Chain ID: 1)/u, '$2\n$1')],
    ['a field twice', (text: string) => text.replace('Version: 1', 'Version: 1\nVersion: 1')],
    ['a field in lower case', (text: string) => text.replace('Nonce:', 'nonce:')],
    ['a resource that is no URI', (text: string) => text.replace('ipfs://', 'ipfs ')],
    ['20,000 characters', (text: string) => text.replace('some_id', 'x'.repeat(20_000))],
  ])('refuses %s', (_, change) => {
    expect(parseSiwe(change(EXAMPLE))).toBeNull();
  });

  it('writes nothing that would read as something else', () => {
    const message = parseSiwe(EXAMPLE);
    if (message === null) throw new Error('unreadable');
    for (const statement of ['', 'a\nb', 'Hi\n\nURI: https://evil.example', '<img>']) {
      expect(formatSiwe({ ...message, statement })).toBeNull();
    }
    expect(formatSiwe({ ...message, nonce: '1234567\nIssued At: 2021-09-30T16:25:24Z' })).toBeNull();
    expect(formatSiwe({ ...message, chainId: 1.5 })).toBeNull();
  });

  it('is valid from its time until before its end', () => {
    const message = parseSiwe(EXAMPLE);
    if (message === null) throw new Error('unreadable');
    const at = (text: string) => isTimely(message, Date.parse(text));
    expect(at('2021-09-30T16:25:23Z')).toBe(false);
    expect(at('2021-09-30T16:25:24Z')).toBe(true);
    expect(at('2021-09-30T16:35:23.999Z')).toBe(true);
    expect(at('2021-09-30T16:35:24Z')).toBe(false);
    expect(isTimely({ ...message, issuedAt: '2021-09-30T16:30:00Z' }, Date.parse('2021-09-30T16:28:00Z'))).toBe(false);
  });
});

describe('EIP-55', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ])('spells %s as the standard does', (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address);
    expect(ethereumAddress(address)).toBe(address);
    const upper = address.slice(2).toUpperCase();
    for (const uncased of [address.toLowerCase(), `0x${upper}`, `0X${upper}`, `0X${address.slice(2)}`])
      expect(ethereumAddress(uncased)).toBe(address);
  });

  it('refuses an address in mixed case that is another than the checksum’s', () => {
    for (const prefix of ['0x', '0X'])
      expect(ethereumAddress(`${prefix}5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed`)).toBeNull();
  });

  it('finds no signer in an invalid signature', () => {
    for (const text of ['', '0x', 'hello', `0x${'00'.repeat(65)}`]) expect(ethereumSigner('x', text)).toBeNull();
  });
});
