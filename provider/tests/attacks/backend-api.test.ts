import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startBackend, type Backend } from '../kit/backend.ts';
import { basic, EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';

describe.each(EITHER_DATABASE)("attacks on the app's own server, on %s", (_, database) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await startBackend(database);
  });
  afterAll(() => backend.close());

  describe('a stolen session that has ended', () => {
    const wallets = () => backend.client.cryptoWallets;
    const named = ({ address, type }: SoftwareWallet) => ({ crypto_wallet_address: address, crypto_wallet_type: type });
    const startInPage = async (wallet: SoftwareWallet, session_token: string) => {
      const { data } = await backend.provider.post('/crypto_wallets/authenticate/start/secondary', named(wallet), {
        session: session_token,
      });
      return data['challenge'] as string;
    };
    const startAtServer = async (wallet: SoftwareWallet, session_token: string) =>
      (await wallets().authenticateStart({ ...named(wallet), session_token })).challenge;

    it.each([
      ['a page', startInPage],
      ["the app's own server", startAtServer],
    ])('cannot add the wallet that it began to add by %s', async (__, start) => {
      const { user_id, session_token } = (await backend.provider.signIn(`wallet-${start.name}@example.com`)) as {
        user_id: string;
        session_token: string;
      };
      const wallet = new SoftwareWallet();
      const challenge = await start(wallet, session_token);
      await backend.client.sessions.revoke({ session_token });
      const signed = { ...named(wallet), signature: wallet.sign(challenge), session_duration_minutes: 60 };
      const refused = await refusalOf(wallets().authenticate(signed));
      expect(refused).toMatchObject({ error_type: 'crypto_wallet_challenge_not_found' });
      expect((await backend.client.users.get({ user_id })).crypto_wallets).toEqual([]);
    });
  });

  it.each(['%00', '\0', 'connected-app%00'])(
    'a client id with NUL, %j, is unknown, and counted as wrong',
    async (id) => {
      const { project_id } = backend.provider.services.project;
      for (const path of ['/oauth2/token', '/oauth2/revoke', `/v1/public/${project_id}/oauth2/token`]) {
        const reply = await fetch(new URL(path, backend.url), {
          method: 'POST',
          headers: { authorization: basic(id, 'secret'), 'content-type': 'application/x-www-form-urlencoded' },
          body: 'grant_type=client_credentials&token=x',
        });
        expect([reply.status, ((await reply.json()) as Fields)['error']]).toEqual([401, 'invalid_client']);
      }
    },
  );

  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:00', '9999-12-31T23:59:59-23:00', '2026-13-01T00:00:00Z'])(
    'a search by the time %s, which one of the databases cannot read, is refused',
    async (filter_value) => {
      const query = { operator: 'AND', operands: [{ filter_name: 'created_at_greater_than', filter_value }] };
      const { status, body } = await backend.raw('POST', '/v1/users/search', { body: JSON.stringify({ query }) });
      expect([status, body['error_type']]).toEqual([400, 'bad_request']);
    },
  );

  it.each<[string, Fields]>([
    ['scrypt of an impossible cost', { hash_type: 'scrypt', hash: `$scrypt$ln=16,r=1,p=1$AAAA$${'A'.repeat(43)}` }],
    [
      'scrypt of an impossible cost in its config',
      {
        hash_type: 'scrypt',
        hash: 'A'.repeat(43),
        scrypt_config: { salt: 'AAAA', n_parameter: 65_536, r_parameter: 1, p_parameter: 1, key_length: 32 },
      },
    ],
    [
      'argon2 with a salt that its decoder refuses',
      { hash_type: 'argon_2id', hash: `$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAB$${'A'.repeat(43)}` },
    ],
    [
      'argon2 with a key that its decoder refuses',
      { hash_type: 'argon_2id', hash: `$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAA$${'A'.repeat(42)}B` },
    ],
  ])('a migrated hash that no login could be compared with is refused: %s', async (__, fields) => {
    const migration = { email: 'hostile-hash@example.com', hash: '', hash_type: 'bcrypt', ...fields } as const;
    const refused = await refusalOf(backend.client.passwords.migrate(migration));
    expect(refused).toMatchObject({ status_code: 400, error_type: 'invalid_hash' });
  });
});
