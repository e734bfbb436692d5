import { exhaustMap } from 'rxjs';
import { sentOtpOf } from '../../../domain/screens/sent-otp.ts';
import { sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { ClockPort } from '../../ports/index.ts';
import type { Logins } from '../logins.ts';
import type { Effect } from '../widget-store.ts';
import { attempt, ofType } from './attempt.ts';
import { mailCode } from './email-code.ts';

/** Sends, resends and verifies passcodes. While one of them is under way, asking for it again does nothing. */
export function otpEffects(
  logins: () => Promise<Logins>,
  clock: ClockPort,
  config: () => LoginConfig,
): readonly Effect[] {
  const deliver = (destination: string) => mailCode(logins, clock, config(), destination);

  const sent: Effect = ({ events$ }) =>
    ofType(events$, 'otp/requested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => ({ type: 'otp/sent', ...(await deliver(asked.destination)) })),
      ),
    );
  const resent: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/resendRequested').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => {
          const otp = sentOtpOf(getState().screen);
          return { type: 'otp/resent', ...(await deliver(otp?.destination ?? '')) };
        }),
      ),
    );
  const verified: Effect = ({ events$, getState }) =>
    ofType(events$, 'otp/codeEntered').pipe(
      exhaustMap((asked) =>
        attempt(events$, asked, async () => {
          const otp = sentOtpOf(getState().screen);
          const { otps } = await logins();
          const reply = await otps.authenticate(asked.code, otp?.methodId ?? '', sessionMinutes(config()));
          return { type: 'otp/verified', reply };
        }),
      ),
    );
  return [sent, resent, verified];
}
