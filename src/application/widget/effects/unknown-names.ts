import { EMPTY } from 'rxjs';
import { codeLoad } from '#domain/code-loads.ts';
import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { mainLayout, passkeyEntry } from '#domain/screens/main-layout.ts';
import { OTPMethods } from '#domain/contacts/channels.ts';
import { isHelpUrl } from '#domain/safe-url.ts';
import { Products, type LoginConfig, type OAuthProviderOptions } from '#domain/widget/widget-config.ts';
import type { Services } from '../../services.ts';
import type { WidgetOptions } from '../widget-options.ts';
import type { Effect } from '../widget-store.ts';
import type { UnknownName } from './explain-options.ts';

const unknownOf = (at: string, names: readonly unknown[], validNames: readonly string[]): readonly UnknownName[] =>
  names.filter((name) => !validNames.includes(name as string)).map((name) => ({ at, name, validNames }));

/** The unknown products, methods and so on. */
const unknownValues = (config: LoginConfig): readonly UnknownName[] => [
  ...unknownOf('product', config.products ?? [], Object.values(Products)),
  ...unknownOf('delivery method', config.otpOptions?.methods ?? [], Object.values(OTPMethods)),
  ...unknownOf('layout', [config.oauthOptions?.layout ?? 'list'], ['list', 'row']),
  ...unknownOf(
    'social login of type',
    providersOf(config).map((provider) => provider?.type),
    Object.keys(OAUTH_PROVIDERS),
  ),
];

const providersOf = ({ oauthOptions }: LoginConfig): readonly OAuthProviderOptions[] => oauthOptions?.providers ?? [];

/** True for a configuration that leaves Main without any way to log in. */
function isEmpty(config: LoginConfig): boolean {
  const layout = mainLayout(config);
  return layout.groups.length === 0 && passkeyEntry(config, layout, false) === null;
}

/**
 * Warns the developer once about each unknown product, delivery method and social login, because nothing shows for it, about social logins
 * without a provider, about a login without a way to log in, and about a help URL that is not shown. The sentences load only if one is
 * logged.
 */
export function unknownNamesEffect({ log }: Services<'log'>, options: () => WidgetOptions): Effect {
  return () => {
    const { config } = options();
    const wrong = unknownValues(config);
    const { helpUrl, products } = config;
    const lacks = [
      products?.includes('oauth') && !providersOf(config).length,
      isEmpty(config),
      helpUrl !== undefined && !isHelpUrl(helpUrl),
    ] as const;
    if (wrong.length > 0 || lacks.some(Boolean)) {
      codeLoad(import('./explain-options.ts'))
        .then(({ explainOptions }) => explainOptions(log, wrong, lacks))
        // If its file cannot be loaded, there is no explanation.
        .catch(() => undefined);
    }
    return EMPTY;
  };
}
