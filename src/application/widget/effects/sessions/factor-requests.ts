import type { PhoneMethod } from '#domain/contacts/phone.ts';
import { OTP_EXPIRATION_MINUTES } from '#domain/passcodes/otp.ts';
import { creationError, passkeyError, passkeyFailure } from '#domain/passkeys/passkey.ts';
import type { AuthError } from '#domain/errors.ts';
import { sameJson } from '#domain/json.ts';
import { toAuthError } from '#domain/thrown.ts';
import type { FactorEvent } from '#domain/screens/factor-flow.ts';
import type { MaskedPhone, MfaStep } from '#domain/sessions/mfa.ts';
import type { FactorFormState, FactorRequest } from '#domain/sessions/second-factor.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import { sendCode } from '../passcodes/otp.ts';
import { phoneRecipient } from '../passcodes/phone.ts';
import { createApp } from './new-app.ts';

/** How long a new authenticator app waits for its first code: as long as the login waits for its second factor. */
const TOTP_EXPIRATION_MINUTES = 10;

export type FactorServices = Services<
  | 'account'
  | 'refresher'
  | 'browser'
  | 'clock'
  | 'otps'
  | 'passkeys'
  | 'phone'
  | 'profile'
  | 'project'
  | 'secondFactor'
  | 'sessions'
  | 'totps'
>;

/** The calls behind the forms of the second factor. */
export class FactorRequests {
  constructor(
    private readonly services: FactorServices,
    private readonly config: () => LoginConfig,
  ) {}

  /** Makes one request. Never rejects. */
  async make(
    request: FactorRequest,
    { step, trusts, isStepUp }: Pick<FactorFormState, 'step' | 'trusts' | 'isStepUp'>,
    signal: AbortSignal,
  ): Promise<FactorEvent> {
    try {
      if (request.kind === 'startRecovery') return await this.startRecovery(step);
      return await this.perform(request, { trusts, isStepUp, signal });
    } catch (cause) {
      const error = toAuthError(cause);
      const newer = request.kind === 'profile' ? await this.newerStep(step, error) : null;
      return { type: 'refused', error, ...(newer && { step: newer }) };
    }
  }

  /**
   * The step of a refused login of which the project asks something else now, such as a newer version of its terms; null if it is the same,
   * or the login is over.
   */
  private async newerStep(step: MfaStep, error: AuthError): Promise<MfaStep | null> {
    if (error.kind !== 'api') return null;
    const reply = await this.services.secondFactor.status().catch(() => null);
    return reply === null || sameJson(reply.mfa.profile, step.profile) ? null : reply.mfa;
  }

  private async perform(
    request: Exclude<FactorRequest, { readonly kind: 'startRecovery' }>,
    {
      trusts,
      isStepUp,
      signal,
    }: { readonly trusts: boolean; readonly isStepUp: boolean; readonly signal: AbortSignal },
  ): Promise<FactorEvent> {
    const { totps, otps } = this.services;
    const options = { session_duration_minutes: sessionMinutes(this.config()), ...(trusts && { trust_device: true }) };
    switch (request.kind) {
      case 'totp':
        return { type: 'verified', reply: await totps.authenticate({ totp_code: request.code, ...options }) };
      case 'recovery_code':
        return { type: 'verified', reply: await totps.recover({ recovery_code: request.code, ...options }) };
      case 'text':
        return { type: 'verified', reply: await otps.authenticate(request.code, request.otp.methodId, options) };
      case 'profile': {
        const { fields, terms, user_id } = request;
        const entry = { fields, terms, user_id, ...(trusts && { trust_device: true }) };
        return { type: 'verified', reply: await this.services.profile.complete(entry) };
      }
      case 'webauthn':
      case 'addPasskey':
        return this.passkey(request.kind, { ...options, signal });
      case 'send':
        return this.send(request.channel, request.phone, isStepUp);
      case 'addPhone':
        return this.addPhone(request, isStepUp);
      case 'createTotp':
        return {
          type: 'followed',
          task: { kind: 'scan', totp: await createApp(this.services, TOTP_EXPIRATION_MINUTES) },
        };
    }
  }

  private async passkey(
    kind: 'webauthn' | 'addPasskey',
    options: { readonly session_duration_minutes: number; readonly signal: AbortSignal },
  ): Promise<FactorEvent> {
    const { passkeys } = this.services;
    const isNew = kind === 'addPasskey';
    try {
      const ceremonyOptions = { ...options, is_passkey: true };
      return {
        type: 'verified',
        reply: (await (isNew ? passkeys.register(ceremonyOptions) : passkeys.authenticate(ceremonyOptions))) ?? {},
      };
    } catch (error) {
      if (passkeyFailure(error) === 'cancelled') return { type: 'cancelled' };
      return {
        type: 'refused',
        error: isNew ? creationError(error, 'elsewhere') : passkeyError(error, 'passkey_login_failed'),
      };
    }
  }

  private async send(channel: PhoneMethod, phone: MaskedPhone, isStepUp: boolean): Promise<FactorEvent> {
    const { otps, secondFactor } = this.services;
    const { locale } = this.config().otpOptions ?? {};
    const { phone_id, phone_number: destination } = phone;
    const to = { type: channel, destination };
    // In a session the number is known, and its code does not need a pending login.
    const { otp } = await sendCode(this.services, to, OTP_EXPIRATION_MINUTES, async () =>
      isStepUp ? otps.send(channel, destination, { locale }) : secondFactor.sendCode({ phone_id, channel, locale }),
    );
    return { type: 'followed', task: { kind: 'text', otp, phone } };
  }

  private async addPhone(
    request: Extract<FactorRequest, { readonly kind: 'addPhone' }>,
    isStepUp: boolean,
  ): Promise<FactorEvent> {
    const { otps, secondFactor } = this.services;
    const { channel, edit } = request;
    const to = await phoneRecipient(this.services, channel, request);
    if (to === null) return { type: 'numberInvalid', edit };
    const { locale } = this.config().otpOptions ?? {};
    const { destination: phone_number } = to;
    const { otp } = await sendCode(this.services, to, OTP_EXPIRATION_MINUTES, async () =>
      isStepUp
        ? otps.send(channel, phone_number, { locale })
        : secondFactor.addPhone({ phone_number, channel, locale }),
    );
    return { type: 'followed', task: { kind: 'text', otp, phone: null } };
  }

  private async startRecovery(step: MfaStep): Promise<FactorEvent> {
    const { available_at } = await this.services.secondFactor.startRecovery();
    return { type: 'followed', task: { kind: 'recovery' }, step: { ...step, recovery_pending: { available_at } } };
  }
}
