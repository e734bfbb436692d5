import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { createApp } from '#provider/operation/app.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { parseSiwe } from '../kit/siwe.ts';
import { EITHER_DATABASE, type Fields, MINUTE, PUBLIC_TOKEN, WITHOUT_PKCE } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';
import { SOAK } from '#tests/soak.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ethereum = () => new SoftwareWallet();
const solana = () => new SolanaWallet();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const MANY = Array.from({ length: SOAK ? 50 : 15 });
const CURVE_ORDER = secp256k1.Point.CURVE().n;
type Wallet = Pick<SoftwareWallet, 'address' | 'sign'> & { readonly type: string };

describe.each(EITHER_DATABASE)('wallets on %s', (_, url) => {
  const provider = suiteProvider(url);

  const names = ({ type, address }: Pick<Wallet, 'type' | 'address'>) => ({
    crypto_wallet_type: type,
    crypto_wallet_address: address,
  });
  const start = (wallet: Pick<Wallet, 'type' | 'address'>, fields: Fields = {}, session?: string) => {
    const step = session === undefined ? 'primary' : 'secondary';
    const extras = session === undefined ? {} : { session };
    return provider.post(`/crypto_wallets/authenticate/start/${step}`, { ...names(wallet), ...fields }, extras);
  };
  const challengeFor = async (wallet: Wallet, fields: Fields = {}, session?: string): Promise<string> =>
    String((await start(wallet, fields, session)).data['challenge']);
  const finish = (wallet: Pick<Wallet, 'type' | 'address'>, signature: string, session?: string) => {
    const body = { ...names(wallet), signature, session_duration_minutes: 30 };
    return provider.post('/crypto_wallets/authenticate', body, session === undefined ? {} : { session });
  };
  const SIWE = { siwe_params: { uri: 'http://localhost:3000' } };

  it.each([
    ['ethereum', ethereum, {}],
    ['ethereum with EIP-4361', ethereum, SIWE],
    ['solana', solana, {}],
    ['solana with the same fields', solana, SIWE],
  ])('logs in by %s: a new user, then the same', async (__, make, fields) => {
    const wallet = make();
    const users: unknown[] = [];
    for (let round = 0; round < 2; round += 1) {
      const challenge = await challengeFor(wallet, fields);
      const { status, data } = await finish(wallet, wallet.sign(challenge));
      expect(status).toBe(200);
      expect(data['user'].crypto_wallets).toMatchObject([{ crypto_wallet_address: wallet.address, verified: true }]);
      expect(data['session'].authentication_factors).toMatchObject([
        { type: 'crypto', crypto_wallet_factor: { crypto_wallet_address: wallet.address } },
      ]);
      users.push(data['user_id']);
    }
    expect(users[0]).toBe(users[1]);
  });

  it('takes a lower-case address, keeps EIP-55, and takes a recovery byte from 0', async () => {
    const wallet = ethereum();
    const lower = { type: 'ethereum', address: wallet.address.toLowerCase() };
    const challenge = String((await start(lower)).data['challenge']);
    const { recovery, rs } = wallet.parts(challenge);
    const { data } = await finish(lower, `0x${hex(rs)}0${recovery}`);
    expect(data['user'].crypto_wallets).toMatchObject([{ crypto_wallet_address: wallet.address }]);
  });

  it('builds the EIP-4361 message from what it checked', async () => {
    const wallet = ethereum();
    const now = new Date(provider.clock.time).toISOString();
    const siwe_params = {
      uri: 'http://app.localhost:3000/login',
      chain_id: '137',
      issued_at: now,
      statement: 'Sign in to the demo.',
      not_before: now,
      message_request_id: 'request-1',
      resources: ['https://example.com/terms'],
    };
    const message = parseSiwe(await challengeFor(wallet, { siwe_params }));
    expect(message).toMatchObject({
      domain: 'app.localhost:3000',
      address: wallet.address,
      uri: siwe_params.uri,
      chainId: 137,
      issuedAt: now,
      statement: siwe_params.statement,
      notBefore: now,
      requestId: 'request-1',
      resources: siwe_params.resources,
    });
    expect(message?.nonce).toMatch(/^[A-Za-z0-9]{17,}$/u);
    expect(Date.parse(message?.expirationTime ?? '') - provider.clock.time).toBeLessThanOrEqual(10 * MINUTE);
  });

  it.each([
    ['an empty uri', { uri: '' }],
    ['a foreign uri', { uri: 'https://evil.example/' }],
    ['a uri with a user', { uri: 'http://localhost:3000@evil.example/' }],
    ['a uri that is none', { uri: 'localhost' }],
    ['a uri of the wrong type', { uri: 7 }],
    ['a line break in the statement', { statement: 'Hi\n\nURI: https://evil.example' }],
    ['markup in the statement', { statement: '<b>' }],
    ['a statement in Unicode', { statement: 'grüß' }],
    ['an old issued_at', { issued_at: '2020-01-01T00:00:00Z' }],
    ['a late not_before', { not_before: '2031-01-01T00:00:00Z' }],
    ['a not_before that is no time', { not_before: 'soon' }],
    ['a chain id of zero', { chain_id: 0 }],
    ['a chain id in words', { chain_id: 'mainnet' }],
    ['resources that are no addresses', { resources: ['x y'] }],
    ['resources of the wrong type', { resources: [1] }],
    ['a request id with a line break', { message_request_id: 'a\nb' }],
  ])('builds no message with %s', async (__, siwe_params) => {
    const reply = await start(ethereum(), { siwe_params: { uri: 'http://localhost:3000', ...siwe_params } });
    expect(reply.body).toMatchObject({ status_code: 400, error_type: 'invalid_siwe_params' });
  });

  it.each([
    ['ethereum', ethereum, '1'],
    ['solana', solana, 'mainnet'],
  ])('builds a message for %s that names the site, without a word of the caller', async (name, make, chain) => {
    const wallet = make();
    const now = provider.clock.time;
    const lines = (await challengeFor(wallet)).split('\n');
    const nonce = lines.find((line) => line.startsWith('Nonce: ')) ?? '';
    expect(nonce).toMatch(/^Nonce: [a-f0-9]{32}$/u);
    expect(lines).toEqual([
      `localhost:3000 wants you to sign in with your ${name === 'solana' ? 'Solana' : 'Ethereum'} account:`,
      wallet.address,
      '',
      'Signing in costs nothing and moves nothing.',
      '',
      'URI: http://localhost:3000',
      'Version: 1',
      `Chain ID: ${chain}`,
      nonce,
      `Issued At: ${new Date(now).toISOString()}`,
      `Expiration Time: ${new Date(now + 5 * MINUTE).toISOString()}`,
    ]);
  });

  it('reports to every client that messages name the site, regardless of the project file', async () => {
    const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, siwe_required_for_crypto_wallets: false };
    const app = createApp({ ...provider.services, project });
    const told = (await (await app.request(`/sdk/v1/projects/bootstrap/${PUBLIC_TOKEN}`)).json()) as Fields;
    expect(told['data'].siwe_required_for_crypto_wallets).toBe(true);
  });

  it.each([
    ['another type', { crypto_wallet_type: 'bitcoin' }, 'invalid_crypto_wallet_type'],
    ['no type', { crypto_wallet_type: '' }, 'invalid_crypto_wallet_type'],
    [
      'a wrong checksum',
      { crypto_wallet_address: '0xE5A12547fe4E872D192E3eCecb76F2Ce1aeA4946' },
      'invalid_crypto_wallet_address',
    ],
    ['a short address', { crypto_wallet_address: '0x12' }, 'invalid_crypto_wallet_address'],
    ['a Solana address', { crypto_wallet_address: solana().address }, 'invalid_crypto_wallet_address'],
    ['an Ethereum address for Solana', { crypto_wallet_type: 'solana' }, 'invalid_crypto_wallet_address'],
    [
      'a long address for Solana',
      { crypto_wallet_type: 'solana', crypto_wallet_address: '1'.repeat(60_000) },
      'invalid_crypto_wallet_address',
    ],
  ])('refuses %s', async (__, fields, type) => {
    expect((await start(ethereum(), fields)).body).toMatchObject({ status_code: 400, error_type: type });
  });

  it.each([
    ['nothing', () => ''],
    ['no hex', () => `0x${'zz'.repeat(65)}`],
    ['no 0x', (good: string) => good.slice(2)],
    ['another recovery byte', (good: string) => `${good.slice(0, -2)}1d`],
    ['r and s of zero', () => `0x${'00'.repeat(64)}1b`],
    ['r and s out of range', () => `0x${'ff'.repeat(64)}1b`],
    ['another message', (__: string, wallet: ReturnType<typeof ethereum>) => wallet.sign('hello')],
    ['another wallet', (__: string, ___: unknown, challenge: string) => ethereum().sign(challenge)],
    ['no bytes, as of a contract', () => '0x', 'unsupported_crypto_wallet'],
    ['one byte less', (good: string) => good.slice(0, -2), 'unsupported_crypto_wallet'],
    ['a contract (EIP-6492)', (good: string) => `${good}${'6492'.repeat(16)}`, 'unsupported_crypto_wallet'],
  ])('refuses an Ethereum signature of %s', async (__, spoil, error_type = 'invalid_crypto_wallet_signature') => {
    const wallet = ethereum();
    const challenge = await challengeFor(wallet);
    const reply = await finish(wallet, spoil(wallet.sign(challenge), wallet, challenge));
    expect(reply.body).toMatchObject({ status_code: 400, error_type });
    expect((await finish(wallet, wallet.sign(challenge))).status).toBe(200);
  });

  it('refuses the upper half of s, which anyone can compute from a valid signature', async () => {
    const wallet = ethereum();
    const { recovery, rs } = wallet.parts(await challengeFor(wallet));
    const s = CURVE_ORDER - BigInt(`0x${hex(rs.slice(32))}`);
    const flipped = `0x${hex(rs.slice(0, 32))}${s.toString(16).padStart(64, '0')}${(28 - recovery).toString(16)}`;
    expect((await finish(wallet, flipped)).body['error_type']).toBe('invalid_crypto_wallet_signature');
  });

  it.each([
    ['nothing', () => ''],
    ['no base58', () => '0OIl'.repeat(20)],
    ['32 bytes', () => solana().address],
    ['a very long text', () => '1'.repeat(50_000)],
    ['another message', (wallet: ReturnType<typeof solana>) => wallet.sign('hello')],
    ['another wallet', (__: unknown, challenge: string) => solana().sign(challenge)],
  ])('refuses a Solana signature of %s', async (__, spoil) => {
    const wallet = solana();
    const challenge = await challengeFor(wallet);
    const reply = await finish(wallet, spoil(wallet, challenge));
    expect(reply.body).toMatchObject({ status_code: 400, error_type: 'invalid_crypto_wallet_signature' });
  });

  it('refuses a Solana key of small order, for which one signature fits many messages', async () => {
    const wallet = { type: 'solana', address: base58.encode(Uint8Array.from([1, ...Array<number>(31).fill(0)])) };
    await start(wallet);
    const signature = base58.encode(Uint8Array.from([1, ...Array<number>(63).fill(0)]));
    expect((await finish(wallet, signature)).body['error_type']).toBe('invalid_crypto_wallet_signature');
  });

  it('accepts a challenge once, within five minutes, and from its wallet only', async () => {
    const wallet = ethereum();
    const signature = wallet.sign(await challengeFor(wallet, SIWE));
    expect((await finish(ethereum(), signature)).body['error_type']).toBe('crypto_wallet_challenge_not_found');
    expect((await finish(wallet, signature)).status).toBe(200);
    expect((await finish(wallet, signature)).body['error_type']).toBe('crypto_wallet_challenge_not_found');
    const late = wallet.sign(await challengeFor(wallet, SIWE));
    provider.clock.time += 5 * MINUTE;
    expect((await finish(wallet, late)).body['error_type']).toBe('crypto_wallet_challenge_not_found');
  });

  it('takes no signature before the time that the message names', async () => {
    const wallet = ethereum();
    const not_before = new Date(provider.clock.time + MINUTE).toISOString();
    const challenge = await challengeFor(wallet, { siwe_params: { uri: 'http://localhost:3000', not_before } });
    expect((await finish(wallet, wallet.sign(challenge))).body['error_type']).toBe('invalid_crypto_wallet_signature');
    provider.clock.time += MINUTE;
    expect((await finish(wallet, wallet.sign(challenge))).status).toBe(200);
  });

  soakIt('keeps a challenge good while strangers ask for others', async () => {
    const wallet = ethereum();
    const signature = wallet.sign(await challengeFor(wallet));
    for (let round = 0; round < 10; round += 1) await start(wallet);
    expect((await finish(wallet, signature)).status).toBe(200);
    const next = wallet.sign(await challengeFor(wallet));
    const flood = await Promise.all(Array.from({ length: 30 }, () => start(wallet)));
    expect(flood.map(({ body }) => body['error_type'])).toContain('too_many_requests');
    expect((await finish(wallet, next)).status).toBe(200);
  });

  soakIt('redeems a challenge once for many concurrent callers', async () => {
    for (const wallet of [ethereum(), solana()]) {
      const signature = wallet.sign(await challengeFor(wallet));
      const replies = await Promise.all(MANY.map(() => finish(wallet, signature)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(replies.every(({ status }) => status < 500)).toBe(true);
    }
  });

  soakIt('makes one user of twenty first logins at once', async () => {
    const wallet = ethereum();
    const signatures: string[] = [];
    for (let round = 0; round < 20; round += 1) signatures.push(wallet.sign(await challengeFor(wallet)));
    const replies = await Promise.all(signatures.map((signature) => finish(wallet, signature)));
    expect(replies.map(({ status }) => status)).toEqual(signatures.map(() => 200));
    expect(new Set(replies.map(({ data }) => data['user_id'])).size).toBe(1);
  });

  it('adds a wallet to the signed-in user, for that user only', async () => {
    const wallet = solana();
    const { session_token, user_id } = await provider.signIn('wallet@example.com');
    const signature = wallet.sign(await challengeFor(wallet, {}, session_token));
    // Whoever has no session, or another's, finds no challenge.
    const { session_token: other } = await provider.signIn('other@example.com');
    for (const session of [undefined, String(other)]) {
      expect((await finish(wallet, signature, session)).body['error_type']).toBe('crypto_wallet_challenge_not_found');
    }
    const { data } = await finish(wallet, signature, session_token);
    expect(data['user_id']).toBe(user_id);
    expect(data['session'].authentication_factors).toHaveLength(2);
    const taken = wallet.sign(await challengeFor(wallet, {}, String(other)));
    expect((await finish(wallet, taken, String(other))).body['error_type']).toBe('duplicate_crypto_wallet');
    expect((await start(wallet, {}, 'unknown')).body['error_type']).toBe('unauthorized_credentials');
  });
});
