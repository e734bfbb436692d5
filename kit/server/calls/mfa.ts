import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import { mfa } from '#application/api/index.ts';
import type { PasscodeChannel } from '#server-rules/contacts.ts';
import { PASSCODE_MINUTES } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { TrustedDevice } from '#domain/sessions/mfa.ts';
import { requireLogin, requireSession } from '../state/admission.ts';
import type { Answers } from '../state/answers.ts';
import { sendPasscode } from './codes.ts';
import { endSessionsOfFactors } from '../state/ending.ts';
import { checkPhoneNumber, contactById, contactToAdd } from '../state/people.ts';
import { forgetTrustedDevice, requireListed, stepOf } from '../state/second-factor.ts';
import type { ServerState } from '../state/state.ts';
import type { RecoveryRow } from '../state/tables.ts';
import { newRecoveryCodes, showsCodesAgain } from './totps.ts';
import { endTrust } from '../state/user-rows.ts';

const RECOVERY_OPEN_HOURS = 7 * 24;

function channelOf(channel: string): Exclude<PasscodeChannel, 'email'> {
  if (isPhoneMethod(channel)) return channel;
  throw new Refusal('mfa_factor_not_allowed');
}

/** The pending recovery of a user, or a new one. */
function waitingRecovery(state: ServerState, userId: string, hours: number): RecoveryRow {
  const waiting = state.live(state.recoveries, userId);
  if (waiting !== undefined) return waiting;
  const row: RecoveryRow = {
    recovery_id: `recovery-test-${state.next()}`,
    available_at: new Date(state.in(hours * 60)),
    expiresAt: state.in((hours + RECOVERY_OPEN_HOURS) * 60),
  };
  state.recoveries.set(userId, row);
  return row;
}

/** The browsers that the user trusts. */
export function trustedDevicesOf(state: ServerState, userId: string): readonly TrustedDevice[] {
  return [...state.trustedDevices.values()]
    .filter((device) => device.user_id === userId && device.expiresAt > state.now())
    .map(({ device_id, created_at, last_used_at, user_agent }) => {
      return { device_id, created_at, last_used_at, user_agent, ip_address: '127.0.0.1' };
    });
}

/** The second factor of a login, and the browsers that need none. */
export function answerMfa(answers: Answers, state: ServerState): void {
  answers
    .to(mfa.status, (_, caller) => ({ mfa: stepOf(state, requireLogin(state, caller)) }))
    .to(mfa.sendCode, ({ phone_id, channel: channelName }, caller) => {
      const login = requireLogin(state, caller);
      const channel = channelOf(channelName);
      requireListed(state, login, 'factors', channel);
      const isListed = stepOf(state, login).phone_numbers.some((each) => each.phone_id === phone_id);
      const contact = isListed ? contactById(state, 'phone', phone_id) : undefined;
      if (contact === undefined) throw new Refusal('phone_number_not_found');
      return sendPasscode(state, channel, PASSCODE_MINUTES.fallback, contact);
    })
    .to(mfa.addPhone, ({ phone_number, channel: channelName }, caller) => {
      const login = requireLogin(state, caller);
      const channel = channelOf(channelName);
      requireListed(state, login, 'enrol', channel);
      checkPhoneNumber(phone_number);
      const contact = contactToAdd(state, login.user_id, 'phone', phone_number);
      return sendPasscode(state, channel, PASSCODE_MINUTES.fallback, contact);
    })
    .to(mfa.startRecovery, (_, caller) => {
      const login = requireLogin(state, caller);
      const { recovery } = stepOf(state, login);
      if (recovery === null) throw new Refusal('mfa_factor_not_allowed');
      const { recovery_id, available_at } = waitingRecovery(state, login.user_id, recovery.hours);
      return { recovery_id, available_at: available_at.toISOString() };
    })
    .to(mfa.recovery, (_, caller) => {
      const { user_id } = requireSession(state, caller);
      const waiting = state.live(state.recoveries, user_id);
      if (waiting === undefined) return { recovery: null };
      const { recovery_id, available_at } = waiting;
      return { recovery: { recovery_id, available_at: available_at.toISOString() } };
    })
    .to(mfa.stopRecovery, (_, caller) => {
      state.recoveries.delete(requireSession(state, caller).user_id);
      return {};
    })
    .to(mfa.recoveryCodes, (_, caller) => {
      const totp = state.totps.get(requireSession(state, caller).user_id);
      if (totp?.verified !== true) return { recovery_codes: null };
      return { recovery_codes: { left: totp.recoveryCodes.length, can_be_shown: showsCodesAgain(state) } };
    })
    .to(mfa.renewRecoveryCodes, (_, caller) => {
      const { user_id } = requireSession(state, caller);
      const totp = state.totps.get(user_id);
      if (totp?.verified !== true) throw new Refusal('totp_not_found');
      totp.recoveryCodes = newRecoveryCodes(state);
      endTrust(state, user_id);
      return { recovery_codes: [...totp.recoveryCodes] };
    })
    .to(mfa.trustedDevices, (_, caller) => ({
      devices: trustedDevicesOf(state, requireSession(state, caller).user_id),
    }))
    .to(mfa.removeTrustedDevice, (_, caller, { device_id }) => {
      const { user_id, session_id } = requireSession(state, caller);
      if (!forgetTrustedDevice(state, user_id, device_id)) throw new Refusal('trusted_device_not_found');
      endSessionsOfFactors(state, user_id, [device_id], session_id);
      return {};
    });
}
