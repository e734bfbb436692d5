import { expect } from 'vitest';
import { appCode } from '#tests/clients/otplib.ts';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import { MINUTES } from '../attacks/attacker.ts';
import type { Fields, Provider, ProviderResponse } from '../kit/harness.ts';
import { browser as visitorOf } from '../kit/oauth-harness.ts';
import { PASSKEY } from '../kit/passkey-steps.ts';
import { LoginBrowser } from '../kit/second-step.ts';
import type { OldPasskey, OldPerson } from './old-people.ts';

/** The logins of people who came from another system, each in a browser of its own. */
export class Logins {
  constructor(private readonly provider: Provider) {}

  /** The id of the user whom an import made of a person. */
  async userId(oldId: string): Promise<string> {
    const { db } = this.provider.services;
    const rows = db.selectFrom('users').select('user_id');
    const row = await rows.where((user) => user.or([user('external_id', '=', oldId), user('user_id', '=', oldId)])).executeTakeFirst(); // prettier-ignore
    if (row === undefined) throw new Error(`Nobody has the id ${oldId}.`);
    return row.user_id;
  }

  async withPassword(email: string, password: string, browser = new LoginBrowser(this.provider)): Promise<ProviderResponse> {
    return browser.post('/passwords/authenticate', { email, password, ...MINUTES });
  } // prettier-ignore

  /** By a code to an address or number. */
  async withCode(to: string, browser = new LoginBrowser(this.provider)): Promise<ProviderResponse> {
    const fields = to.startsWith('+') ? { phone_number: to } : { email: to };
    const sent = await browser.post(`/otps/${to.startsWith('+') ? 'sms' : 'email'}/login_or_create`, fields);
    const token = (await this.provider.newest(to))?.code;
    if (sent.status !== 200 || token === undefined) return sent;
    return browser.post('/otps/authenticate', { token, method_id: sent.data['method_id'], ...MINUTES });
  }

  async withAccount(provider: OAuthProvider, email: string): Promise<ProviderResponse> {
    const token = await visitorOf(this.provider).token(provider, { email, verified: 'yes' });
    return new LoginBrowser(this.provider).post('/oauth/authenticate', { token, ...MINUTES });
  }

  async withPasskey(authenticator: OldPasskey['authenticator'], domain = PASSKEY.domain): Promise<ProviderResponse> {
    const { data } = await this.provider.post('/webauthn/authenticate/start/primary', { ...PASSKEY, domain });
    const public_key_credential = await authenticator.get(String(data['public_key_credential_request_options']));
    return new LoginBrowser(this.provider).post('/webauthn/authenticate', { public_key_credential, ...MINUTES });
  }

  async withWallet(wallet: Wallet): Promise<ProviderResponse> {
    const names = { crypto_wallet_type: wallet.type, crypto_wallet_address: wallet.address };
    const { data } = await this.provider.post('/crypto_wallets/authenticate/start/primary', names);
    const signature = wallet.sign(String(data['challenge']));
    return new LoginBrowser(this.provider).post('/crypto_wallets/authenticate', { ...names, signature, ...MINUTES });
  }

  /** The first factor: the password, or a code to the address. */
  async begin({ emails: [address], password }: FirstFactors, browser = new LoginBrowser(this.provider)) {
    const email = address?.email ?? '';
    return password === null ? this.withCode(email, browser) : this.withPassword(email, password, browser);
  }

  async withSecond(person: FirstFactors, path: 'authenticate' | 'recover', fields: Fields): Promise<number> {
    const browser = new LoginBrowser(this.provider);
    const { status, body } = await this.begin(person, browser);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return (await browser.post(`/totps/${path}`, { ...fields, ...MINUTES })).status;
  }

  /** Each way of the person leads to the user whom the import made; nothing else does. */
  async expectAll(person: OldPerson): Promise<void> {
    const user_id = await this.userId(person.id);
    const { emails, phone, password, app, codes, used, passkeys, social, wallet, isBlocked } = person;
    const expectLogin = ({ status, data, body }: ProviderResponse, what: string): void =>
      expect([what, status, data['user_id'] ?? body], person.id).toEqual([what, 200, user_id]);
    if (isBlocked) {
      expect((await this.begin(person)).status, `${person.id} is blocked`).not.toBe(200);
      return;
    }
    for (const { email, verified } of password === null ? [] : emails) {
      if (verified || email === emails[0]?.email) expectLogin(await this.withPassword(email, password ?? ''), email);
    }
    if (password !== null && person.n % 20 === 0) {
      const { status } = await this.withPassword(emails[0]?.email ?? '', `wrong ${password}`);
      expect(status, `${person.id}: a wrong password`).toBe(401);
    }
    for (const { email, verified } of password === null ? emails : []) {
      if (verified || email === emails[0]?.email) expectLogin(await this.withCode(email), email);
    }
    if (phone !== null) expectLogin(await this.withCode(phone), phone);
    if (app !== null) {
      const totp_code = await appCode(app.secret, app, this.provider.clock.time);
      expect(await this.withSecond(person, 'authenticate', { totp_code }), `${person.id}: the app`).toBe(200);
    }
    for (const recovery_code of used) expect(await this.withSecond(person, 'recover', { recovery_code }), `${person.id}: used`).toBe(404); // prettier-ignore
    for (const recovery_code of codes.slice(0, 2)) expect(await this.withSecond(person, 'recover', { recovery_code }), `${person.id}: a code`).toBe(200); // prettier-ignore
    for (const { authenticator } of passkeys) expectLogin(await this.withPasskey(authenticator), 'a passkey');
    if (social !== null) expectLogin(await this.withAccount(social.provider, social.account), social.provider);
    if (wallet !== null) expectLogin(await this.withWallet(wallet), wallet.type);
  }
}

type Wallet = NonNullable<OldPerson['wallet']>;
type FirstFactors = Pick<OldPerson, 'emails' | 'password'>;
