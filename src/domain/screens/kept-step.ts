import { OTP_METHODS } from '../contacts/channels.ts';
import type { SentOtp } from '../passcodes/otp.ts';
import { isRecord } from '../shape.ts';
import { otpMethodsOf, productsOf, type LoginConfig } from '../widget/widget-config.ts';
import { sentOtpOf, type Screen } from './screen.ts';

/** The screens on which a person waits for a message. They contain an address and the id of a message, but no secret. */
export const WAITING: ReadonlySet<string> = new Set<Screen['name']>([
  'EmailConfirmation',
  'OTPAuthenticate',
  'PasswordCreateOrLogin',
  'PasswordForgot',
  'PasswordDedupe',
  'PasswordSetNew',
]);

export interface KeptStep {
  readonly screen: Screen;
  /** The end of the message's validity, in milliseconds since 1970. */
  readonly until: number;
}

const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === 'string');

function isSentOtp(value: unknown): value is SentOtp {
  if (!isRecord(value)) return false;
  const { type, methodId, destination, expiresAt, phone } = value;
  const isPhone = isRecord(phone) && areTexts(phone['country'], phone['national'], phone['international']);
  return (
    (OTP_METHODS as readonly unknown[]).includes(type) &&
    areTexts(methodId, destination) &&
    Number.isFinite(expiresAt) &&
    (phone === undefined || isPhone)
  );
}

/** True if the value has the fields of a screen from `stepToKeep`. */
function isKept(value: unknown): value is Screen {
  if (!isRecord(value) || !WAITING.has(value['name'] as string)) return false;
  const { name, email, otp, message, userType, reason } = value;
  if (name === 'OTPAuthenticate') return isSentOtp(otp);
  if (!areTexts(email)) return false;
  if (name === 'PasswordDedupe') return reason === 'breached' || reason === 'required';
  if (name !== 'PasswordCreateOrLogin') return true;
  if (userType !== 'passwordless' || !isRecord(message)) return false;
  return message['kind'] === 'link' || (message['kind'] === 'code' && isSentOtp(message['otp']));
}

/** The kept screen; null if there is none, or if it is damaged or too old. */
export function keptScreen(text: string | null, now: number): Screen | null {
  if (text === null) return null;
  try {
    const step: unknown = JSON.parse(text);
    if (!isRecord(step) || !isKept(step['screen']) || !(Number(step['until']) > now)) return null;
    return (step as unknown as KeptStep).screen;
  } catch {
    return null;
  }
}

/** True if a login with these methods can show the screen. Two pages of a host may have different logins. */
export function isOffered(screen: Screen, config: LoginConfig): boolean {
  const products = productsOf(config);
  const message = 'message' in screen ? screen.message : null;
  const otp = sentOtpOf(screen);
  const needsLink = screen.name === 'EmailConfirmation' || message?.kind === 'link';
  if (otp !== null && !(products.includes('otp') && otpMethodsOf(config).includes(otp.type))) return false;
  if (needsLink && !products.includes('emailMagicLinks')) return false;
  return products.includes('passwords') || !screen.name.startsWith('Password');
}

/** The screen to return to; null if there is none that this login can show. */
export function resumedScreen(text: string | null, now: number, config: LoginConfig): Screen | null {
  const screen = keptScreen(text, now);
  return screen !== null && isOffered(screen, config) ? screen : null;
}
