import { EMPTY } from 'rxjs';
import { OAUTH_PROVIDERS } from '../../../domain/social/oauth-providers.ts';
import { mainLayout, passkeyEntry } from '../../../domain/screens/main-layout.ts';
import { OTPMethods } from '../../../domain/contacts/channels.ts';
import { isRecord } from '../../../domain/shape.ts';
import { Products, type LoginConfig } from '../../../domain/widget/widget-config.ts';
import type { Services } from '../../services.ts';
import type { WidgetOptions } from '../widget-options.ts';
import type { Effect } from '../widget-store.ts';
import type { UnknownName } from './explain-options.ts';

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
const STYLES = 'preset container colors buttons inputs fontFamily hideHeaderText logo';

/** The options that do not exist. */
function misspelled(options: WidgetOptions): readonly UnknownName[] {
  const { config, styles } = options as WidgetOptions & { readonly styles?: unknown };
  const { oauthOptions } = config;
  const judge = (at: string, value: unknown, names: string): readonly UnknownName[] => {
    const known = names.split(' ');
    const unknown = isRecord(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
    return unknown.map((name) => ({ at, name, known }));
  };
  return [
    ...judge('the mount', options, MOUNT),
    ...judge('styles', styles, STYLES),
    ...judge('config', config, CONFIG),
    ...Object.entries(MEMBERS).flatMap(([name, known]) =>
      judge(`config.${name}`, config[name as keyof LoginConfig], known),
    ),
    ...(oauthOptions?.providers ?? []).flatMap((provider) => judge('an OAuth provider', provider, PROVIDER)),
  ];
}

/** The values that do not exist. */
function unknownValues({ products = [], otpOptions, oauthOptions }: LoginConfig): readonly UnknownName[] {
  const judge = (what: string, names: readonly unknown[], known: readonly string[]): readonly UnknownName[] =>
    names.filter((name) => !known.includes(name as string)).map((name) => ({ what, name, known }));
  const social = (oauthOptions?.providers ?? []).map((provider) => provider?.type);
  return [
    ...judge('product', products, Object.values(Products)),
    ...judge('delivery method', otpOptions?.methods ?? [], Object.values(OTPMethods)),
    ...judge('layout', [oauthOptions?.layout ?? 'list'], ['list', 'row']),
    ...judge('social login of type', social, Object.keys(OAUTH_PROVIDERS)),
  ];
}

/** True for a configuration that leaves Main without any way to log in. */
function isEmpty(config: LoginConfig): boolean {
  const layout = mainLayout(config);
  return layout.groups.length === 0 && passkeyEntry(config, layout, false) === null;
}

/**
 * Warns the developer once of each option, product, delivery method and social login that does not exist, because nothing shows for it,
 * of social logins without a provider, and of a login that has no way to log in. The sentences load only where one is logged.
 */
export function unknownNamesEffect({ log }: Services<'log'>, options: () => WidgetOptions): Effect {
  return () => {
    const { config } = options();
    const unknown = [...misspelled(options()), ...unknownValues(config)];
    const noProvider = !!config.products?.includes(Products.oauth) && !config.oauthOptions?.providers?.length;
    const empty = isEmpty(config);
    if (unknown.length > 0 || noProvider || empty) {
      import('./explain-options.ts')
        .then(({ explainOptions }) => explainOptions(log, { unknown, noProvider, empty }))
        // Without its file there is no explanation.
        .catch(() => undefined);
    }
    return EMPTY;
  };
}
