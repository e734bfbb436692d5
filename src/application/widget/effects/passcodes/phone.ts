import { EMPTY, exhaustMap, mergeMap, of, switchMap } from 'rxjs';
import { CALLING_CODES } from '#domain/contacts/calling-codes.ts';
import {
  configuredCountry,
  DEFAULT_CALLING_CODE,
  DEFAULT_COUNTRY,
  type EnteredPhone,
  type PhoneMethod,
} from '#domain/contacts/phone.ts';
import {
  FORMAT_MS,
  PARSE_MS,
  plainPhoneText,
  unparsedNumber,
  type PhoneNumber,
} from '#domain/contacts/phone-number.ts';
import { mainLayout } from '#domain/screens/main-layout.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { withTimeout } from '../../../ports/with-timeout.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, ofType, whenReady } from '../attempt.ts';
import { otpDelivery, type Recipient } from './otp.ts';

type PhoneServices = Services<'phone' | 'clock'>;

const countryOrDefault = (country: string): string => (CALLING_CODES.has(country) ? country : DEFAULT_COUNTRY);

/** Parses the entered number; null if it is invalid. If the validation cannot be loaded in time, the number is used unchecked. */
async function numberOf({ phone, clock }: PhoneServices, entered: EnteredPhone): Promise<PhoneNumber | null> {
  const country = countryOrDefault(entered.country);
  if (!/\d/u.test(plainPhoneText(entered.national))) return null;
  const parsed = await withTimeout(clock, PARSE_MS, async () => phone.parse(plainPhoneText(entered.national), country));
  if (parsed !== null) return parsed.valid ? parsed : null;
  return unparsedNumber(entered.national, CALLING_CODES.get(country) ?? DEFAULT_CALLING_CODE);
}

/** The destination of a passcode for the entered number; null if the number is invalid. */
export async function phoneRecipient(
  services: PhoneServices,
  type: PhoneMethod,
  { country, national }: EnteredPhone,
): Promise<Recipient | null> {
  const found = await numberOf(services, { country, national });
  if (found === null) return null;
  return { type, destination: found.number, phone: { country, national, international: found.international } };
}

/** Formats telephone numbers while they are typed. */
export function numberFormatEffect({ phone, clock }: PhoneServices): Effect {
  return ({ events$ }) =>
    ofType(events$, 'phone/edited').pipe(
      switchMap(({ edit, country, national }) =>
        whenReady(() =>
          withTimeout(clock, FORMAT_MS, async () => phone.format(plainPhoneText(national), countryOrDefault(country))),
        ).pipe(
          mergeMap((formatResult) =>
            formatResult === null ? EMPTY : of({ type: 'phone/formatted', edit, ...formatResult } as const),
          ),
        ),
      ),
    );
}

/** Formats telephone numbers while they are typed, and sends passcodes to valid numbers (specification, section 5). */
export function phoneEffects(
  { phone, otps, clock, log }: Services<'phone' | 'otps' | 'clock' | 'log'>,
  config: () => LoginConfig,
): readonly Effect[] {
  const deliver = otpDelivery({ otps, clock }, config);

  const countryOption: unknown = config().defaultCountry ?? DEFAULT_COUNTRY;
  const wish = String(countryOption);
  const asksForPhones = mainLayout(config()).tabs.some((tab) => tab !== 'email');
  if (asksForPhones && countryOrDefault(configuredCountry(config())) !== wish.toUpperCase()) {
    log.warn(`config.defaultCountry is not an ISO 3166-1 code: ${wish}. ${DEFAULT_COUNTRY} is used.`);
  }

  const requested: Effect = ({ events$ }) =>
    ofType(events$, 'phone/requested').pipe(
      exhaustMap((intent) =>
        attempt(events$, intent, async () => {
          const to = await phoneRecipient({ phone, clock }, intent.method, intent);
          return to === null
            ? { type: 'phone/invalid', edit: intent.edit }
            : { type: 'otp/sent', ...(await deliver(to)) };
        }),
      ),
    );

  return [requested, numberFormatEffect({ phone, clock })];
}
