import type { Deletion, UserChanges, UserEdits } from '../use-cases/user-edits.ts';
import { checkArguments, checkId } from '../arguments.ts';

/** The part of `client.user` that changes something, or asks about others. */
export class UserEditsClient {
  constructor(private readonly edits: UserEdits) {}

  /** Changes the signed-in user's own fields. */
  async update(changes: UserChanges) {
    checkArguments('user.update', { name: 'object?', untrusted_metadata: 'object?' }, changes);
    return this.edits.update(changes);
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
    return this.edits.connectedApps();
  }

  /** Takes back what an app was granted. The name is the wire's. */
  async revokedConnectedApp(connected_app_id: string) {
    checkId('user.revokedConnectedApp', 'connected_app_id', connected_app_id);
    return this.edits.revokeConnectedApp(connected_app_id);
  }

  /** Whether an address belongs to somebody, and how that person logs in: `userType`. */
  async search(email: string) {
    checkArguments('user.search', { email: 'string' }, { email });
    return this.edits.search(email);
  }

  private delete(method: Deletion, field: string, id: string) {
    checkId(`user.${method}`, field, id);
    return this.edits.delete(method, id);
  }
}
