import { exhaustMap, filter, map, merge } from 'rxjs';
import { passwordlessMethod } from '../../../domain/passwordless.ts';
import type { EventOf, Intent, Outcome, ResetMailScreen } from '../../../domain/screens/event.ts';
import type { UserType } from '../../../domain/screens/screen.ts';
import { sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';
import { attempt, ofType } from './attempt.ts';
import { magicLinkOptions } from './magic-link.ts';
import { otpDelivery } from './otp.ts';
import { refusedAs, resetMail } from './reset-mail.ts';
import { strengthEffect } from './password-strength.ts';

const USER_TYPES: readonly string[] = ['new', 'password', 'passwordless'] satisfies UserType[];

type Mailed = EventOf<'password/resetMailed'>;

/** Creating a password, logging in with it, and the related mails (specification, sections 2 and 4). */
export function passwordEffects(services: Services, config: () => LoginConfig): readonly Effect[] {
  const deliver = otpDelivery(services, config);

  const mail = async (email: string, to: ResetMailScreen, reason: Mailed['reason'] = 'required'): Promise<Mailed> => {
    const reply = await services.passwords.resetByEmailStart(resetMail(config(), email));
    return { type: 'password/resetMailed', email, to, reason, reply };
  };

  const sendPasswordless = async (email: string): Promise<Outcome> => {
    const method = passwordlessMethod(config());
    if (method === null) return mail(email, 'PasswordSetNew');
    if (method === 'code') {
      const { otp, reply } = await deliver({ type: 'email', destination: email });
      return { type: 'password/passwordlessSent', email, message: { kind: 'code', otp }, reply };
    }
    const reply = await services.magicLinks.loginOrCreate(email, magicLinkOptions(config()));
    return { type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply };
  };

  /** Runs one request at a time for each type of intent; further intents of that type are ignored meanwhile. */
  const on =
    <Type extends Intent['type']>(type: Type, work: (asked: EventOf<Type>) => Promise<Outcome>): Effect =>
    ({ events$, late }) =>
      ofType(events$, type).pipe(
        exhaustMap((asked) => attempt(events$, withoutSecrets(asked as Intent), () => work(asked), late)),
      );

  const passwordless: Effect = ({ events$, getState }) =>
    merge(
      ofType(events$, 'password/passwordlessRequested'),
      ofType(events$, 'password/userFound').pipe(
        filter(() => getState().pending === 'password/passwordlessRequested'),
        map(({ email }) => ({ type: 'password/passwordlessRequested', email }) as const),
      ),
    ).pipe(exhaustMap((asked) => attempt(events$, asked, () => sendPasswordless(asked.email))));

  return [
    on('password/emailEntered', async ({ email }) => {
      const { userType } = await services.userEdits.search(email);
      const known = USER_TYPES.includes(userType) ? userType : 'new';
      return { type: 'password/userFound', email, userType: known };
    }),
    passwordless,
    on('password/createRequested', async ({ email, password }) => {
      try {
        const session_duration_minutes = sessionMinutes(config());
        const reply = await services.passwords.create({ email, password, session_duration_minutes });
        return { type: 'password/created', reply };
      } catch (error) {
        if (refusedAs(error) === 'reset_password') return mail(email, 'PasswordDedupe', 'required');
        throw error;
      }
    }),
    on('password/loginRequested', async ({ email, password }) => {
      try {
        const session_duration_minutes = sessionMinutes(config());
        const reply = await services.passwords.authenticate({ email, password, session_duration_minutes });
        return { type: 'password/loggedIn', reply };
      } catch (error) {
        if (refusedAs(error) === 'reset_password') return mail(email, 'PasswordDedupe', 'breached');
        if (refusedAs(error) === 'breached_password') return mail(email, 'PasswordBreached', 'breached');
        throw error;
      }
    }),
    on('password/forgotten', ({ email }) => mail(email, 'PasswordForgot')),
    on('password/insteadRequested', ({ email }) => mail(email, 'PasswordSetNew')),
    on('password/resendRequested', async ({ email }) => {
      const { reply } = await mail(email, 'PasswordForgot');
      return { type: 'password/resent', reply };
    }),
    strengthEffect(services),
  ];
}

/** The intent without its password, for the `failed` outcome. */
function withoutSecrets(asked: Intent): Intent {
  return 'password' in asked ? { ...asked, password: '' } : asked;
}
