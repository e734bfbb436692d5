import { exhaustMap, filter, map, merge } from 'rxjs';
import { toAuthError } from '#domain/thrown.ts';
import { passwordlessMethod } from '#domain/passwords/passwordless.ts';
import { isBreach } from '#domain/screens/refusals.ts';
import type { EventOf, Intent, Outcome, ResetMailScreen } from '#domain/screens/event.ts';
import type { UserType } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { attempt, ofType } from '../attempt.ts';
import { magicLinkOptions } from '../links/magic-link.ts';
import { otpDelivery } from '../passcodes/otp.ts';
import { refusedAs, resetMail } from './reset-mail.ts';
import { strengthEffect } from './password-strength.ts';

const USER_TYPES: readonly string[] = ['new', 'password', 'passwordless'] satisfies UserType[];

type ResetMailEvent = EventOf<'password/resetMailed'>;
type OutcomeCallback = (outcome: Outcome) => void;

/** Creating a password, logging in with it, and the related emails (specification, sections 2 and 4). */
export function passwordEffects(
  services: Services<'passwords' | 'passwordStrength' | 'magicLinks' | 'otps' | 'userEdits' | 'clock'>,
  config: () => LoginConfig,
): readonly Effect[] {
  const { passwords, magicLinks, userEdits } = services;
  const deliver = otpDelivery(services, config);

  const mail = async (
    email: string,
    to: ResetMailScreen,
    reason: ResetMailEvent['reason'] = 'required',
  ): Promise<ResetMailEvent> => {
    const reply = await passwords.resetByEmailStart(resetMail(config(), email));
    return { type: 'password/resetMailed', email, to, reason, reply };
  };

  /** Reports a refusal that a reset mail resolves, and sends the mail. Throws any other error. Other servers refuse a login as breached. */
  const mailedFor = async (
    cause: unknown,
    email: string,
    tell: OutcomeCallback,
    isLogin: boolean,
  ): Promise<ResetMailEvent> => {
    const error = toAuthError(cause);
    const type = refusedAs(error);
    const isBreachedLogin = isLogin && type === 'breached_password';
    if (!isBreachedLogin && type !== 'reset_password') throw error;
    tell({ type: 'reported', error });
    return mail(
      email,
      isBreachedLogin ? 'PasswordBreached' : 'PasswordDedupe',
      isBreach(error) ? 'breached' : 'required',
    );
  };

  const sendPasswordless = async (email: string): Promise<Outcome> => {
    const method = passwordlessMethod(config());
    if (method === null) return mail(email, 'PasswordSetNew');
    if (method === 'code') {
      const { otp, reply } = await deliver({ type: 'email', destination: email });
      return { type: 'password/passwordlessSent', email, message: { kind: 'code', otp }, reply };
    }
    const reply = await magicLinks.loginOrCreate(email, magicLinkOptions(config()));
    return { type: 'password/passwordlessSent', email, message: { kind: 'link' }, reply };
  };

  /** Runs one request at a time for each type of intent; further intents of that type are ignored meanwhile. */
  const on =
    <Type extends Intent['type']>(
      type: Type,
      work: (intent: EventOf<Type>, tell: OutcomeCallback) => Promise<Outcome>,
    ): Effect =>
    ({ events$, late }) =>
      ofType(events$, type).pipe(
        exhaustMap((intent) => attempt(events$, intent as Intent, (tell) => work(intent, tell), late)),
      );

  const passwordless: Effect = ({ events$, getState }) =>
    merge(
      ofType(events$, 'password/passwordlessRequested'),
      ofType(events$, 'password/userFound').pipe(
        filter(() => getState().pending === 'password/passwordlessRequested'),
        map(({ email }) => ({ type: 'password/passwordlessRequested', email }) as const),
      ),
    ).pipe(exhaustMap((intent) => attempt(events$, intent, () => sendPasswordless(intent.email))));

  return [
    on('password/emailEntered', async ({ email }) => {
      const { userType } = await userEdits.search(email);
      const userKind = USER_TYPES.includes(userType) ? userType : 'new';
      return { type: 'password/userFound', email, userType: userKind };
    }),
    passwordless,
    on('password/createRequested', async ({ email, password }, tell) => {
      try {
        const session_duration_minutes = sessionMinutes(config());
        const reply = await passwords.create({ email, password, session_duration_minutes });
        return { type: 'password/created', reply };
      } catch (error) {
        return mailedFor(error, email, tell, false);
      }
    }),
    on('password/loginRequested', async ({ email, password }, tell) => {
      try {
        const session_duration_minutes = sessionMinutes(config());
        const reply = await passwords.authenticate({ email, password, session_duration_minutes });
        return { type: 'password/loggedIn', reply };
      } catch (error) {
        return mailedFor(error, email, tell, true);
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
