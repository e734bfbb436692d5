import { describe, expect, it } from 'vitest';
import { importUser, importUsers } from '#provider/operation/operators/users/import-users.ts';
import { RACES } from '#tests/soak.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import { BY, oldPasskey } from '../kit/old-system.ts';
import { SoftwareWallet } from '../kit/software-wallet.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { MINUTES, uniqueEmail } from './attacker.ts';

const TAKEN = / is that of another user here: user-test-[\w-]+\. Delete it there, or leave it out\.$/u;

describe.each(EITHER_DATABASE)('a line of an import, on %s', (_, url) => {
  const provider = suiteProvider(url);

  const owned = async () => ({
    passkeys: [(await oldPasskey(uniqueEmail('handle').slice(0, 60))).line],
    social_accounts: [{ provider: 'google', subject: uniqueEmail('subject') }],
    wallets: [{ type: 'ethereum', address: new SoftwareWallet().address }],
  });
  const line = (fields: Fields, email = uniqueEmail('line')): Fields => ({
    emails: [{ email, verified: true }],
    ...fields,
  });
  const count = async (): Promise<number> =>
    Number((await provider.services.db.selectFrom('users').select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count); // prettier-ignore
  const ownerOf = async (address: string) =>
    provider.services.db.selectFrom('crypto_wallets').select('user_id').where('crypto_wallet_address', '=', address).execute(); // prettier-ignore

  it.each(['passkeys', 'social_accounts', 'wallets'] as const)('takes nobody’s login method: %s', async (field) => {
    const theirs = await owned();
    const [owner] = await importUsers(provider.services, [line(theirs)], BY);
    expect(owner?.result).toBe('imported');
    const before = await count();
    const other = new SoftwareWallet();
    const mine = { ...(await owned()), [field]: theirs[field] };
    const stolen = line(mine);
    // Alone, and among others, which are imported.
    const alone = await importUser(provider.services, stolen, BY);
    const [together, neighbour] = await importUsers(provider.services, [stolen, line({ wallets: [{ type: 'ethereum', address: other.address }] })], BY); // prettier-ignore
    for (const refused of [alone, together]) {
      expect(refused).toMatchObject({ result: 'refused', reason: expect.stringMatching(TAKEN) as string });
      expect(String((refused as Fields | undefined)?.['reason'])).toMatch(new RegExp(`^${field}\\[0\\]\\.`, 'u'));
    }
    expect([neighbour?.result, await count()]).toEqual(['imported', before + 1]);
    expect(await ownerOf(theirs.wallets[0]?.address ?? '')).toEqual([
      { user_id: (owner as Fields | undefined)?.['user_id'] },
    ]);
    // The other methods of the refused line are free.
    expect((await importUser(provider.services, line({ ...mine, [field]: [] }), BY)).result).toBe('imported');
  });

  it.each(['passkeys', 'social_accounts', 'wallets'] as const)(
    'shares no login method with another: %s',
    async (field) => {
      const both = await owned();
      const lines = [line({ [field]: both[field] }), line({ [field]: both[field] })];
      const [first, second] = await importUsers(provider.services, lines, BY);
      expect([first?.result, second?.result]).toEqual(['imported', 'refused']);
      expect((second as Fields | undefined)?.['reason']).toMatch(TAKEN);
    },
  );

  it('leaves an existing user alone, also by a wallet of somebody else', async () => {
    const email = uniqueEmail('exists');
    const theirs = await owned();
    await importUsers(provider.services, [line(theirs), line({}, email)], BY);
    const [again] = await importUsers(provider.services, [line({ wallets: theirs.wallets }, email)], BY);
    expect(again?.result).toBe('exists');
    const wallets = await provider.services.db.selectFrom('crypto_wallets').select('crypto_wallet_address').where('user_id', '=', (again as Fields)['user_id'] as string).execute(); // prettier-ignore
    expect(wallets).toEqual([]);
  });

  it('and a simultaneous enrolment give a wallet to one user, and import a person whole or not at all', async () => {
    for (let round = 0; round < RACES; round += 1) {
      const wallet = new SoftwareWallet();
      const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
      const { data } = await provider.post('/crypto_wallets/authenticate/start/primary', names);
      const signature = wallet.sign(String(data['challenge']));
      const wallets = [{ type: 'ethereum', address: wallet.address }];
      const moved = Array.from({ length: 6 }, () => line({ wallets }));
      const [enrolled, ...imports] = await Promise.all([
        provider.post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES }),
        ...moved.map(async (each, place) =>
          place % 2 === 0
            ? importUser(provider.services, each, BY)
            : (await importUsers(provider.services, [each], BY))[0],
        ),
      ]);
      expect(enrolled.status).toBe(200);
      const winners = imports.flatMap((result) => (result?.result === 'imported' ? [result.user_id] : []));
      expect(winners.length).toBeLessThanOrEqual(1);
      expect(await ownerOf(wallet.address)).toEqual([{ user_id: enrolled.data['user_id'] as string }]);
      expect([[], [enrolled.data['user_id']]]).toContainEqual(winners);
      const made = await provider.services.db.selectFrom('emails').select('email').where('email', 'in', moved.map(({ emails }) => String(emails[0].email))).execute(); // prettier-ignore
      expect(made).toHaveLength(winners.length);
    }
  });
});
