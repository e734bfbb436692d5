import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { tokenHash } from '#provider/base/security/secrets.ts';
import { EITHER_DATABASE, type Fields, MINUTE, type ProviderResponse } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { SolanaWallet } from '../kit/solana-wallet.ts';
import { soakIt } from '#tests/soak-tests.ts';

const ethereum = () => new SoftwareWallet();
const solana = () => new SolanaWallet();
const SHOP = 'https://shop.example';
const BLOG = 'https://blog.shop.example:8443';
const EVIL = 'https://evil.example';
const SETTINGS = {
  allow_loopback: false,
  origins: [SHOP, BLOG],
  redirect_urls: [`${SHOP}/in?from=mail`],
  default_login_redirect_url: `${SHOP}/in?from=mail`,
  default_signup_redirect_url: `${SHOP}/in?from=mail`,
};
const NOT_FOUND = { error_type: 'crypto_wallet_challenge_not_found' };
const WRONG = { status_code: 400, error_type: 'invalid_siwe_params' };

const CHAINS = [
  ['ethereum', ethereum, 'Ethereum', '1'],
  ['solana', solana, 'Solana', 'mainnet'],
] as const;
type Wallet = ReturnType<typeof ethereum> | ReturnType<typeof solana>;

/** The site in the first line, which a person or a careful wallet checks. Null for a text without a site. */
const siteIn = (message: string): string | null =>
  /^(\S+) wants you to sign in with your (?:Ethereum|Solana) account:\n/u.exec(message)?.[1] ?? null;

describe.each(EITHER_DATABASE)('phishing by another site, on %s', (_, url) => {
  const provider = suiteProvider(url, {
    project: projectFrom({ ...SETTINGS, siwe_required_for_crypto_wallets: false }),
  });

  describe.each(CHAINS)('the owner of a wallet of %s', (type, make, named, chain) => {
    const names = ({ address }: Wallet) => ({ crypto_wallet_type: type, crypto_wallet_address: address });
    const from = (origin: string | undefined) => (origin === undefined ? {} : { headers: { origin } });
    const ask = (wallet: Wallet, fields: Fields = {}, origin?: string): Promise<ProviderResponse> =>
      provider.post('/crypto_wallets/authenticate/start/primary', { ...names(wallet), ...fields }, from(origin));
    const finish = (wallet: Wallet, signature: string, origin?: string): Promise<ProviderResponse> => {
      const body = { ...names(wallet), signature, session_duration_minutes: 30 };
      return provider.post('/crypto_wallets/authenticate', body, from(origin));
    };

    it.each<[string, Fields, string | undefined]>([
      ['nothing', {}, undefined],
      ['the Origin of the shop, forged', {}, SHOP],
      ['the Origin of the blog, forged', {}, BLOG],
      ['empty siwe_params', { siwe_params: {} }, undefined],
      ['the address of the shop', { siwe_params: { uri: `${SHOP}/login` } }, undefined],
      ['words of its own', { siwe_params: { statement: 'Claim your prize at evil.example' } }, undefined],
    ])(
      'the message names the shop or the blog, never the other site, when asked for with %s',
      async (__, fields, origin) => {
        const wallet = make();
        const message = String((await ask(wallet, fields, origin)).data['challenge']);
        // The wallet shows the message at evil.example: it names another site than the page.
        const expected = new URL(origin ?? SHOP).host;
        expect(siteIn(message)).toBe(expected);
        const lines = message.split('\n');
        expect(lines.slice(0, 3)).toEqual([
          `${expected} wants you to sign in with your ${named} account:`,
          wallet.address,
          '',
        ]);
        expect(lines.filter((line) => line.startsWith('URI: '))).toEqual([
          `URI: ${fields['siwe_params']?.['uri'] ?? origin ?? SHOP}`,
        ]);
        for (const field of ['Version: 1', `Chain ID: ${chain}`]) expect(lines).toContain(field);
        expect(message).toMatch(/\nNonce: [a-f0-9]{32}\nIssued At: \S+Z\nExpiration Time: \S+Z$/u);
      },
    );

    it.each([
      ['its own address', { uri: EVIL }, undefined],
      ['its own address, and a forged Origin', { uri: EVIL }, SHOP],
      ['an address that looks like the shop’s', { uri: 'https://shop.example@evil.example' }, undefined],
      ['an address below the shop’s', { uri: 'https://shop.example.evil.example' }, undefined],
      ['an address of another kind', { uri: 'data:text/plain,x' }, undefined],
      ['another port', { uri: 'https://shop.example:444' }, undefined],
      ['another scheme', { uri: 'http://shop.example' }, undefined],
      ['lines of its own', { statement: 'Hi\n\nURI: https://evil.example' }, undefined],
      ['a request id of two lines', { message_request_id: 'x\nURI: https://evil.example' }, undefined],
      ['a resource of two lines', { resources: ['https://a.example\n- https://b.example'] }, undefined],
      ['no text', { uri: null, statement: 7 }, undefined],
    ])('a message with %s is refused', async (__, siwe_params, origin) => {
      expect((await ask(make(), { siwe_params }, origin)).body).toMatchObject(WRONG);
    });

    it('a message that the other site’s own page asked for is refused', async () => {
      const reply = await ask(make(), {}, EVIL);
      expect(reply.body).toMatchObject({ status_code: 403, error_type: 'unregistered_origin' });
      expect((await ask(make(), {}, 'null')).status).toBe(403);
    });

    it('a message of evil.example with the nonce of the shop is refused', async () => {
      const wallet = make();
      const message = String((await ask(wallet)).data['challenge']);
      const relayed = message.replaceAll('shop.example', 'evil.example');
      for (const text of [relayed, message.replace('shop.example', 'evil.example'), `${message}\n`, message.slice(1)]) {
        const { body } = await finish(wallet, wallet.sign(text));
        expect(body['error_type']).toBe('invalid_crypto_wallet_signature');
      }
      expect((await finish(wallet, wallet.sign(message))).status).toBe(200);
    });

    soakIt('a message without a site, of an older version, is refused', async () => {
      const wallet = make();
      const challenge = `Shop asks you to sign in with your wallet:\n${wallet.address}\n\nNonce: 0123456789abcdef`;
      const { db, clock } = provider.services;
      await db
        .insertInto('wallet_challenges')
        .values({
          challenge_hash: tokenHash(challenge),
          ...names(wallet),
          user_id: null,
          network: 'here',
          challenge,
          created_at: new Date(clock.now()),
          expires_at: new Date(clock.now() + MINUTE),
        })
        .execute();
      expect((await finish(wallet, wallet.sign(challenge))).body).toMatchObject(NOT_FOUND);
    });

    it('a message that was signed for one page of the project is refused at another', async () => {
      const wallet = make();
      const foreign = { siwe_params: { uri: SHOP } };
      expect((await ask(wallet, foreign, BLOG)).body).toMatchObject(WRONG);
      const signature = wallet.sign(String((await ask(wallet, {}, BLOG)).data['challenge']));
      expect((await finish(wallet, signature, SHOP)).body).toMatchObject(NOT_FOUND);
      expect((await finish(wallet, signature, BLOG)).status).toBe(200);
    });

    it('a signature for a login cannot add the wallet to another account', async () => {
      const mallory = make();
      const session = String(
        (await finish(mallory, mallory.sign(String((await ask(mallory)).data['challenge'])))).data['session_token'],
      );
      const wallet = make();
      const path = '/crypto_wallets/authenticate/start/secondary';
      const reply = await provider.post(path, names(wallet), { session });
      // The message names its site as well: the owner sees the shop's name at evil.example.
      expect(siteIn(String(reply.data['challenge']))).toBe('shop.example');
      const elsewhere = await provider.post(path, { ...names(wallet), siwe_params: { uri: EVIL } }, { session });
      expect(elsewhere.body).toMatchObject(WRONG);
    });
  });
});
