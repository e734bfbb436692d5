import { EMPTY } from 'rxjs';
import { OAUTH_PROVIDERS } from '../../../domain/social/oauth-providers.ts';
import { unknownOption } from '../../../domain/widget/option-names.ts';
import { mainLayout, passkeyEntry } from '../../../domain/screens/main-layout.ts';
import { OTPMethods } from '../../../domain/contacts/channels.ts';
import { isRecord } from '../../../domain/shape.ts';
import { Products, type LoginConfig } from '../../../domain/widget/widget-config.ts';
import type { Services } from '../../services.ts';
import type { WidgetOptions } from '../widget-options.ts';
import type { Effect } from '../widget-store.ts';

/** The names of the members that are objects; a test compares them with the types. */
const MEMBERS: Readonly<Record<string, string>> = {
  emailMagicLinksOptions:
    'loginRedirectURL loginExpirationMinutes signupRedirectURL signupExpirationMinutes loginTemplateId signupTemplateId createUserAsPending domainHint locale',
  oauthOptions: 'providers loginRedirectURL signupRedirectURL layout',
  otpOptions: 'methods expirationMinutes loginTemplateId signupTemplateId locale',
  passwordOptions:
    'loginRedirectURL loginExpirationMinutes resetPasswordRedirectURL resetPasswordExpirationMinutes resetPasswordTemplateId suggestPassphrase locale',
  // `domain` is of the reference client.
  passkeyOptions: 'link offerAfterLogin upgradeAfterLogin signUp extensions domain',
  sessionOptions: 'sessionDurationMinutes',
  accountOptions: 'sections signIn',
  stepUp: 'factors reason',
};
const CONFIG = `products ${Object.keys(MEMBERS).join(' ')} enableShadowDOM defaultCountry rememberLastMethod`;
const PROVIDER = 'type custom_scopes provider_params one_tap position cancel_on_tap_outside';
const MOUNT = 'elementId config styles callbacks strings language passwordResetToken token';

/** The mistakes in the names of the options, a sentence for each. */
function misspelled(options: WidgetOptions): readonly string[] {
  const { config } = options;
  const { oauthOptions } = config;
  const judge = (at: string, value: unknown, known: string): readonly string[] => {
    const wrong = isRecord(value) ? unknownOption(value, known.split(' ')) : null;
    return wrong === null ? [] : [`Of ${at}, ${wrong}`];
  };
  return [
    ...judge('the mount', options, MOUNT),
    ...judge('config', config, CONFIG),
    ...Object.entries(MEMBERS).flatMap(([name, known]) =>
      judge(`config.${name}`, config[name as keyof LoginConfig], known),
    ),
    ...(oauthOptions?.providers ?? []).flatMap((provider) => judge('an OAuth provider', provider, PROVIDER)),
  ];
}

/** True for a configuration that leaves Main without any way to log in. */
function isEmpty(config: LoginConfig): boolean {
  const layout = mainLayout(config);
  return layout.groups.length === 0 && passkeyEntry(config, layout, false) === null;
}

/**
 * Warns the developer once of each option, product, delivery method and social login that does not exist, because nothing shows for it,
 * and of a login that has no way to log in.
 */
export function unknownNamesEffect({ log }: Services<'log'>, options: () => WidgetOptions): Effect {
  return () => {
    const { config } = options();
    const { products = [], otpOptions, oauthOptions } = config;
    const judge = (what: string, names: readonly unknown[], known: readonly string[]): void => {
      for (const name of names) {
        if (known.includes(name as string)) continue;
        log.warn(`There is no ${what} ${JSON.stringify(name)}; there are ${known.join(', ')}.`);
      }
    };
    for (const sentence of misspelled(options())) log.warn(sentence);
    judge('product', products, Object.values(Products));
    judge('delivery method', otpOptions?.methods ?? [], Object.values(OTPMethods));
    judge('layout', [oauthOptions?.layout ?? 'list'], ['list', 'row']);
    const social = (oauthOptions?.providers ?? []).map((provider) => provider?.type);
    judge('social login of type', social, Object.keys(OAUTH_PROVIDERS));
    if (isEmpty(config)) {
      log.error('The login is empty: no product shows.');
    }
    return EMPTY;
  };
}
