import { skip, type Observable } from 'rxjs';
import type { User } from '../../domain/user.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Deletion, UserAccount, UserChanges } from '../use-cases/user-account.ts';
import { checkArguments, checkId } from './arguments.ts';

/** `client.user`. */
export class UserClient {
  /** The signed-in user now, then every change. */
  readonly user$: Observable<User | null>;

  constructor(
    private readonly account: UserAccount,
    private readonly store: SessionStore,
  ) {
    this.user$ = store.user$;
  }

  /** Fetches the user from the server; null when nobody is signed in. */
  async get(): Promise<User | null> {
    return this.account.get();
  }

  /** The user as this browser knows it. */
  getSync(): User | null {
    return this.store.state().user;
  }

  /** As `getSync`, and whether the server has yet to confirm it in this page. */
  getInfo(): { readonly user: User | null; readonly fromCache: boolean } {
    const { user, fromCache } = this.store.state();
    return { user, fromCache };
  }

  /** Calls back on every change from now on. Answers a function that ends it. */
  onChange(callback: (user: User | null) => void): () => void {
    const subscription = this.user$.pipe(skip(1)).subscribe(callback);
    return () => subscription.unsubscribe();
  }

  /** Changes the signed-in user's own fields. */
  async update(changes: UserChanges) {
    checkArguments('user.update', { name: 'object?', untrusted_metadata: 'object?' }, changes);
    return this.account.update(changes);
  }

  /** The seven deletions remove a registration of the signed-in user by its id. */
  async deleteEmail(email_id: string) {
    return this.delete('deleteEmail', 'email_id', email_id);
  }
  async deletePhoneNumber(phone_id: string) {
    return this.delete('deletePhoneNumber', 'phone_id', phone_id);
  }
  async deleteTOTP(totp_id: string) {
    return this.delete('deleteTOTP', 'totp_id', totp_id);
  }
  async deleteCryptoWallet(crypto_wallet_id: string) {
    return this.delete('deleteCryptoWallet', 'crypto_wallet_id', crypto_wallet_id);
  }
  async deleteOAuthRegistration(oauth_user_registration_id: string) {
    return this.delete('deleteOAuthRegistration', 'oauth_user_registration_id', oauth_user_registration_id);
  }
  async deleteWebauthnRegistration(webauthn_registration_id: string) {
    return this.delete('deleteWebauthnRegistration', 'webauthn_registration_id', webauthn_registration_id);
  }
  async deleteBiometricRegistration(biometric_registration_id: string) {
    return this.delete('deleteBiometricRegistration', 'biometric_registration_id', biometric_registration_id);
  }

  /** The apps that the user signed in to through this project. */
  async getConnectedApps() {
    return this.account.connectedApps();
  }

  /** Takes back what an app was granted. The name is the wire's. */
  async revokedConnectedApp(connected_app_id: string) {
    checkId('user.revokedConnectedApp', 'connected_app_id', connected_app_id);
    return this.account.revokeConnectedApp(connected_app_id);
  }

  /** Whether an address belongs to somebody, and how that person logs in: `userType`. */
  async search(email: string) {
    checkArguments('user.search', { email: 'string' }, { email });
    return this.account.search(email);
  }

  private delete(method: Deletion, field: string, id: string) {
    checkId(`user.${method}`, field, id);
    return this.account.delete(method, id);
  }
}
