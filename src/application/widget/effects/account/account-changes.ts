import { filter, type Observable } from 'rxjs';
import type { AccountChange, AccountNews, AccountTask, ProofWay } from '#domain/account/account.ts';
import { emailOf, loginWays, needsLogin, phoneOf, proofWays, textChannel } from '#domain/account/proof-ways.ts';
import { REMOVED } from '#domain/account/account-changes.ts';
import { needsSecondFactor } from '#domain/errors.ts';
import { toAuthError } from '#domain/thrown.ts';
import { OTP_EXPIRATION_MINUTES } from '#domain/passcodes/otp.ts';
import { creationError, passkeyError, passkeyFailure } from '#domain/passkeys/passkey.ts';
import type { AccountEvent } from '#domain/screens/account-flow.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import { needed, whenReady } from '../attempt.ts';
import { sendCode, type Recipient } from '../passcodes/otp.ts';
import { phoneRecipient } from '../passcodes/phone.ts';
import { createApp } from '../sessions/new-app.ts';

/** How long a new authenticator app waits for the confirmation with its first code. */
const TOTP_EXPIRATION_MINUTES = 30;

type DoneEvent = Extract<AccountEvent, { readonly type: 'done' }>;

const done = (news: AccountNews | null, next: AccountTask | null = null): DoneEvent => ({
  type: 'done',
  news,
  next,
});

export type ChangeServices = Services<
  | 'browser'
  | 'clock'
  | 'lifecycle'
  | 'otps'
  | 'ownSessions'
  | 'passkeys'
  | 'passwords'
  | 'phone'
  | 'profile'
  | 'project'
  | 'secondFactor'
  | 'sessions'
  | 'totps'
  | 'userEdits'
>;

/** Makes the changes of the account page. The last one is kept, so that it can be repeated after the second factor. */
export class AccountChanges {
  private last: AccountChange | null = null;
  /** The recovery codes of the app that is waiting for its first code. */
  private newCodes: readonly string[] = [];
  /** The code that was sent to prove the second factor. */
  private sentProof = '';

  constructor(
    private readonly services: ChangeServices,
    private readonly config: () => LoginConfig,
  ) {}

  make(change: AccountChange): Observable<AccountEvent> {
    this.last = change;
    return whenReady(async (signal) => {
      const event = await this.settled(change, signal);
      // A password or code is kept no longer than it may be needed.
      const isRepeated = event.type === 'refused' && event.way !== undefined;
      if (!isRepeated && this.last === change) this.last = null;
      return event;
    });
  }

  repeat(): Observable<AccountEvent> {
    const { last } = this;
    return last === null ? whenReady(async () => ({ type: 'cancelled' as const })) : this.make(last);
  }

  /** Adds the proof to the session. */
  prove(way: ProofWay, code: string): Observable<AccountEvent> {
    return whenReady(async (signal): Promise<AccountEvent> => {
      try {
        await this.enter(way, code, signal);
        return { type: 'proofGiven' };
      } catch (error) {
        if (way === 'webauthn' && passkeyFailure(error) === 'cancelled') return { type: 'cancelled' };
        return {
          type: 'proofRefused',
          error: way === 'webauthn' ? passkeyError(error, 'passkey_login_failed') : toAuthError(error),
        };
      }
    });
  }

  private async enter(way: ProofWay, code: string, signal: AbortSignal): Promise<void> {
    const { totps, otps, passkeys, passwords, sessions } = this.services;
    const duration = this.duration();
    switch (way) {
      case 'totp':
        return void (await totps.authenticate({ totp_code: code, ...duration }));
      case 'recovery':
        return void (await totps.recover({ recovery_code: code, ...duration }));
      case 'webauthn':
        return void (await passkeys.authenticate({ is_passkey: true, signal, ...duration }));
      case 'password': {
        const { user } = sessions.state();
        const email = (user && emailOf(user)) ?? '';
        return void (await passwords.authenticate({ email, password: code, ...duration }));
      }
      case 'text':
      case 'email':
        return void (await otps.authenticate(code, this.sentProof, duration));
    }
  }

  /** Sends a code to the user's number or address, to prove their identity. */
  sendProof(way: 'text' | 'email'): Observable<AccountEvent> {
    const { otps, project, sessions } = this.services;
    const { locale } = this.config().otpOptions ?? {};
    return whenReady(async (): Promise<AccountEvent | null> => {
      const { user } = sessions.state();
      try {
        const isText = way === 'text';
        const channel = isText ? (textChannel((await project.bootstrap()).mfa?.factors ?? []) ?? 'sms') : 'email';
        const to = user === null ? undefined : isText ? phoneOf(user) : emailOf(user);
        if (to === undefined) return null;
        const { method_id } = await otps.send(channel, to, { locale });
        this.sentProof = needed(method_id);
        return null;
      } catch (error) {
        return { type: 'proofRefused', error: toAuthError(error) };
      }
    }).pipe(filter((event) => event !== null));
  }

  private async settled(change: AccountChange, signal: AbortSignal): Promise<AccountEvent> {
    try {
      return await this.perform(change, signal);
    } catch (cause) {
      const error = toAuthError(cause);
      const { user } = this.services.sessions.state();
      if (user === null) return { type: 'refused', error };
      if (needsSecondFactor(error)) {
        const [way] = proofWays(user, this.services.project.lastKnown().mfa?.factors ?? null);
        return { type: 'refused', error, way };
      }
      const [way] = needsLogin(error) ? loginWays(user) : [];
      return { type: 'refused', error, ...(way !== undefined && { way, isLogin: true }) };
    }
  }

  private async perform(change: AccountChange, signal: AbortSignal): Promise<AccountEvent> {
    const { userEdits, otps, passwords, passkeys, profile, totps, lifecycle } = this.services;
    switch (change.kind) {
      case 'name':
        await userEdits.update({ name: change.name });
        return done('nameChanged');
      case 'details': {
        const { profile: details } = await profile.update({ fields: change.fields });
        return { ...done('detailsChanged'), details };
      }
      case 'acceptTerms': {
        const { profile: details } = await profile.update({ terms: { [change.id]: change.version } });
        return { ...done('termsAccepted'), details };
      }
      case 'sendCode':
        return this.send({
          type: change.method,
          destination: change.destination,
          ...(change.phone && { phone: change.phone }),
        });
      case 'sendText': {
        const to = await phoneRecipient(this.services, change.method, change);
        return to === null ? { type: 'numberInvalid', edit: change.edit } : this.send(to);
      }
      case 'enterCode': {
        const { otp } = change;
        await otps.authenticate(change.code, otp.methodId, this.duration());
        return done(otp.type === 'email' ? 'emailAdded' : 'phoneAdded');
      }
      case 'password':
        await passwords.resetBySession({ password: change.password });
        return done('passwordSet');
      case 'addPasskey':
        return this.addPasskey(signal);
      case 'renamePasskey':
        await passkeys.update({ webauthn_registration_id: change.id, name: change.name });
        return done('passkeyRenamed');
      case 'createTotp': {
        const totp = await createApp(this.services, TOTP_EXPIRATION_MINUTES);
        this.newCodes = totp.recoveryCodes;
        return done(null, { kind: 'addTotp', totp });
      }
      case 'confirmTotp':
        await totps.authenticate({ totp_code: change.code, ...this.duration() });
        return done('totpAdded', { kind: 'recoveryCodes', codes: this.newCodes, fresh: true });
      case 'showRecoveryCodes': {
        const { totps: registrations } = await totps.recoveryCodes();
        const codes = registrations.flatMap(({ recovery_codes }) => recovery_codes);
        return done(null, { kind: 'recoveryCodes', codes, fresh: false });
      }
      case 'renewRecoveryCodes': {
        const { recovery_codes: codes } = await this.services.secondFactor.renewRecoveryCodes();
        return done('codesRenewed', { kind: 'recoveryCodes', codes, fresh: false });
      }
      case 'remove':
        await this.remove(change);
        return done(REMOVED[change.what]);
      case 'endOthers':
        await this.services.ownSessions.revokeOthers();
        return done('othersEnded');
      case 'moreSessions': {
        const { sessions, next_cursor } = await this.services.ownSessions.list({ cursor: change.cursor });
        return { type: 'done', news: null, next: null, more: { items: sessions, next: next_cursor ?? null } };
      }
      case 'exportData': {
        const { data } = await userEdits.exportData();
        return done(null, { kind: 'exported', text: `${JSON.stringify(data, null, 2)}\n` });
      }
      case 'deleteUser':
        await userEdits.deleteAccount();
        return done('accountDeleted');
      case 'signOut':
        await lifecycle.revoke(false);
        return done(null);
    }
  }

  private async send(to: Recipient): Promise<AccountEvent> {
    const { expirationMinutes: minutes = OTP_EXPIRATION_MINUTES, locale } = this.config().otpOptions ?? {};
    const { otp } = await sendCode(this.services, to, minutes, async () =>
      this.services.otps.send(to.type, to.destination, { expiration_minutes: minutes, locale }),
    );
    return done(null, { kind: 'enterCode', otp });
  }

  private async addPasskey(signal: AbortSignal): Promise<AccountEvent> {
    try {
      await this.services.passkeys.register({ is_passkey: true, signal, ...this.duration() });
      return done('passkeyAdded');
    } catch (error) {
      if (passkeyFailure(error) === 'cancelled') return { type: 'cancelled' };
      return { type: 'refused', error: creationError(error, 'elsewhere') };
    }
  }

  private async remove({ what, id }: Extract<AccountChange, { readonly kind: 'remove' }>): Promise<void> {
    const { userEdits, ownSessions, secondFactor } = this.services;
    switch (what) {
      case 'email':
        return void (await userEdits.delete('deleteEmail', id));
      case 'phone':
        return void (await userEdits.delete('deletePhoneNumber', id));
      case 'totp':
        return void (await userEdits.delete('deleteTOTP', id));
      case 'app':
        return void (await userEdits.revokeConnectedApp(id));
      case 'social':
        return void (await userEdits.delete('deleteOAuthRegistration', id));
      case 'wallet':
        return void (await userEdits.delete('deleteCryptoWallet', id));
      case 'session':
        return void (await ownSessions.revoke(id));
      case 'device':
        return void (await secondFactor.removeTrustedDevice(id));
      case 'recovery':
        return void (await secondFactor.stopRecovery());
      case 'passkey':
        return void (await userEdits.delete('deleteWebauthnRegistration', id));
    }
  }

  private duration(): { readonly session_duration_minutes: number } {
    return { session_duration_minutes: sessionMinutes(this.config()) };
  }
}
