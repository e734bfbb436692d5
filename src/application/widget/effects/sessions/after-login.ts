import { catchError, EMPTY, filter, from, switchMap } from 'rxjs';
import { codeLoad } from '#domain/code-loads.ts';
import { productsOf, type LoginConfig } from '#domain/widget/widget-config.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType } from '../attempt.ts';

/** The outcomes that complete a login without a passkey. */
const LOGGED_IN = [
  'otp/verified',
  'password/created',
  'password/loggedIn',
  'password/reset',
  'resetLink/verified',
  'wallet/verified',
  'factor/verified',
  'session/appeared',
] as const;

const isWanted = (config: LoginConfig): boolean => {
  const { offerAfterLogin, upgradeAfterLogin } = config.passkeyOptions ?? {};
  return (offerAfterLogin === true || upgradeAfterLogin === true) && productsOf(config).includes('passkeys');
};

/** Adds or offers a passkey after each login, if the host enables that. The code is loaded with the first such login. */
export function afterLoginEffect(
  services: Services<'sessions' | 'storage' | 'keys' | 'clock' | 'passkeys' | 'log'>,
  config: () => LoginConfig,
): Effect {
  return (context) =>
    ofType(context.events$, ...LOGGED_IN).pipe(
      filter(() => isWanted(config())),
      switchMap(({ type }) =>
        from(codeLoad(import('../passkeys/passkey-offer.ts'))).pipe(
          switchMap(({ passkeyOfferEffect }) => passkeyOfferEffect(services, config, type)(context)),
          // If its code cannot be loaded, there is no offer. The login is complete anyway.
          catchError(() => EMPTY),
        ),
      ),
    );
}
