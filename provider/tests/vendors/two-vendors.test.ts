import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, WITHOUT_PKCE, type Fields } from '../kit/harness.ts';
import { suiteProvider } from '../kit/suite-provider.ts';
import { exportFolder } from './export-files.ts';
import { importCommand } from './import-command.ts';

const PROJECT = { ...DEMO_PROJECT, ...WITHOUT_PKCE, breach_detection: false };
const HASH = '$2b$04$UPrGySRcFursUnVo0wo7Iu7/h.Xr6PSD2DfC3vEJ8w8lPWfaZk8I.';
const file = exportFolder();

const auth0 = (n: number): Fields => ({ user_id: `auth0|${n}`, email: `both${n}@example.com`, email_verified: true, identities: [{ provider: 'auth0', user_id: String(n) }] }); // prettier-ignore
const clerk = (n: number, more: Fields = {}): Fields => ({ id: `user_${n}`, email_addresses: [{ email_address: `both${n}@example.com`, verification: { status: 'verified' } }], external_accounts: [], ...more }); // prettier-ignore

describe.each(EITHER_DATABASE)('people whom two products have, on %s', (_, url) => {
  const provider = suiteProvider(url, { project: PROJECT });

  it('are named with what the second export would have brought', async () => {
    const command = importCommand(provider, 100_000);
    const first = { file: file('auth0.json', JSON.stringify([auth0(1), auth0(2), auth0(3)])), from: 'auth0' };
    await command(first);
    expect((await command(first)).lines, 'again').toEqual(['0 imported, 3 were there already, 0 refused.']);
    const account = { provider: 'oauth_google', provider_user_id: '108', verification: { status: 'verified' } };
    const people = [
      clerk(1, { banned: true }),
      clerk(2, { external_accounts: [account], phone_numbers: [{ phone_number: '+14155550102', verification: { status: 'verified' } }] }), // prettier-ignore
      clerk(3, { password_digest: HASH, password_hasher: 'bcrypt', totp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
      clerk(4),
    ];
    const second = { file: file('clerk.json', JSON.stringify(people)), from: 'clerk' };
    const idOf = async (n: number) =>
      (await provider.services.db.selectFrom('users').select('user_id').where('external_id', '=', `auth0|${n}`).executeTakeFirstOrThrow()).user_id; // prettier-ignore
    const [one, two, three] = await Promise.all([1, 2, 3].map(idOf));
    const { lines, failed } = await command(second);
    expect(failed).toBe(false);
    const names = (n: number, user: string | undefined): string => `record ${n} of clerk.json (both${n}@example.com): ${user ?? ''} is here already and does not change: the line would have brought`; // prettier-ignore
    expect(lines.slice(-4)).toEqual([
      `${names(1, one)} a lock, external_id.`,
      `${names(2, two)} external_id, a phone number, the verification of a phone number, a social account.`,
      `${names(3, three)} external_id, a password, an authenticator app.`,
      '1 imported, 3 were there already, 0 refused.',
    ]);
    const rows = (await command(second, { json: true })).lines.map((line) => JSON.parse(line) as Fields);
    expect(rows.find(({ place }) => place === 'record 1 of clerk.json')).toMatchObject({ result: 'exists', user_id: one, brings: ['a lock', 'external_id'] }); // prettier-ignore
    expect(rows.find(({ place }) => place === 'record 4 of clerk.json')).not.toHaveProperty('brings');
  });
});
