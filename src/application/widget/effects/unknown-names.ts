import { EMPTY } from 'rxjs';
import { OAUTH_PROVIDERS } from '../../../domain/oauth-providers.ts';
import { OTPMethods, Products, type LoginConfig } from '../../../domain/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect } from '../widget-store.ts';

/** Warns the developer once of each product, delivery method and social login that does not exist: nothing shows for it. */
export function unknownNamesEffect({ log }: Pick<Services, 'log'>, config: () => LoginConfig): Effect {
  return () => {
    const { products = [], otpOptions, oauthOptions } = config();
    const judge = (what: string, names: readonly unknown[], known: readonly string[]): void => {
      for (const name of names) {
        if (known.includes(name as string)) continue;
        log.warn(`There is no ${what} ${JSON.stringify(name)}; there are ${known.join(', ')}.`);
      }
    };
    judge('product', products, Object.values(Products));
    judge('delivery method', otpOptions?.methods ?? [], Object.values(OTPMethods));
    const social = (oauthOptions?.providers ?? []).map((provider) => provider?.type);
    judge('social login of type', social, Object.keys(OAUTH_PROVIDERS));
    return EMPTY;
  };
}
