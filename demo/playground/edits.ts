import type { LoginConfig, OAuthProvider, OneTapPosition, OTPMethods, Products, StyleConfig } from 'portico';
import { CHANNELS, channelTitle } from '../parts/channels.ts';

/** The edits of a configuration by the playground's controls. Each returns a new configuration with one change. */

export const PRODUCTS: Readonly<Record<Products, string>> = {
  oauth: 'Social logins',
  crypto: 'Crypto wallets',
  emailMagicLinks: 'Email links',
  otp: 'One-time passcodes',
  passwords: 'Passwords',
  passkeys: 'Passkeys',
};

export const PROVIDERS: Readonly<Record<OAuthProvider, string>> = {
  google: 'Google',
  microsoft: 'Microsoft',
  apple: 'Apple',
  github: 'GitHub',
  gitlab: 'GitLab',
  facebook: 'Facebook',
  discord: 'Discord',
  salesforce: 'Salesforce',
  slack: 'Slack',
  amazon: 'Amazon',
  bitbucket: 'Bitbucket',
  linkedin: 'LinkedIn',
  coinbase: 'Coinbase',
  twitch: 'Twitch',
  twitter: 'Twitter',
  tiktok: 'TikTok',
  snapchat: 'Snapchat',
  figma: 'Figma',
  yahoo: 'Yahoo',
};

export const METHODS = Object.fromEntries(
  (Object.keys(CHANNELS) as OTPMethods[]).map((method) => [
    method,
    method === 'sms' ? 'Text (SMS)' : channelTitle(method),
  ]),
) as Readonly<Record<OTPMethods, string>>;

const FIRST_PROVIDERS: readonly OAuthProvider[] = ['google', 'microsoft', 'apple'];

export const productsOf = (config: LoginConfig): readonly Products[] => config.products ?? ['emailMagicLinks'];
export const providersOf = (config: LoginConfig): readonly string[] =>
  (config.oauthOptions?.providers ?? []).map(({ type }) => type);
export const methodsOf = (config: LoginConfig): readonly OTPMethods[] => config.otpOptions?.methods ?? [];

/** Adds a product at the end, with its required options, or removes it and keeps its options. */
export function setProduct(config: LoginConfig, product: Products, on: boolean): LoginConfig {
  const others = productsOf(config).filter((one) => one !== product);
  if (!on) return { ...config, products: others };
  const next = {
    ...config,
    products: productsOf(config).includes(product) ? productsOf(config) : [...others, product],
  };
  if (product === 'oauth' && providersOf(next).length === 0) return setProviders(next, FIRST_PROVIDERS);
  if (product === 'otp' && methodsOf(next).length === 0) {
    // Emailed links and emailed passcodes cannot be combined.
    const first = next.products.includes('emailMagicLinks') ? 'sms' : 'email';
    return { ...next, otpOptions: { ...next.otpOptions, methods: [first] } };
  }
  return next;
}

/** Moves a product one place towards the start (-1) or the end (1); at the end it stays. */
export function moveProduct(config: LoginConfig, product: Products, by: -1 | 1): LoginConfig {
  const products = [...productsOf(config)];
  const at = products.indexOf(product);
  const to = at + by;
  const other = products[to];
  if (at < 0 || other === undefined) return config;
  products[at] = other;
  products[to] = product;
  return { ...config, products };
}

/** Sets the social logins. Existing entries keep their fields, such as their scopes. */
export function setProviders(config: LoginConfig, types: readonly OAuthProvider[]): LoginConfig {
  const known = new Map((config.oauthOptions?.providers ?? []).map((one) => [one.type, one]));
  const providers = types.map((type) => known.get(type) ?? { type });
  const next = { ...config, oauthOptions: { ...config.oauthOptions, providers } };
  return providers.length > 0 ? setProduct(next, 'oauth', true) : next;
}

/** Switches one social login; they keep the order of the list. */
export function setProvider(config: LoginConfig, type: OAuthProvider, on: boolean): LoginConfig {
  const order = Object.keys(PROVIDERS) as OAuthProvider[];
  const chosen = new Set(providersOf(config));
  if (on) chosen.add(type);
  else chosen.delete(type);
  return setProviders(
    config,
    order.filter((one) => chosen.has(one)),
  );
}

export const oneTapOf = (config: LoginConfig): OneTapPosition | 'off' => {
  const google = config.oauthOptions?.providers.find(({ type }) => type === 'google');
  return google?.one_tap === true ? (google.position ?? 'embedded') : 'off';
};

/** Sets Google's prompt in place of its button, and its position. Adds Google if it is missing. */
export function setOneTap(config: LoginConfig, position: OneTapPosition | 'off'): LoginConfig {
  const next = position === 'off' ? config : setProvider(config, 'google', true);
  const providers = (next.oauthOptions?.providers ?? []).map((one) => {
    if (one.type !== 'google') return one;
    const { one_tap: _before, position: _where, ...google } = one;
    return position === 'off' ? google : { ...google, one_tap: true, position };
  });
  return { ...next, oauthOptions: { ...next.oauthOptions, providers } };
}

export const layoutOf = (config: LoginConfig): 'list' | 'row' => config.oauthOptions?.layout ?? 'list';

/** Sets how social logins stand. */
export function setLayout(config: LoginConfig, layout: 'list' | 'row'): LoginConfig {
  const { layout: _before, ...options } = { providers: [], ...config.oauthOptions };
  return { ...config, oauthOptions: layout === 'row' ? { ...options, layout } : options };
}

/** Switches a delivery method of passcodes. */
export function setMethod(config: LoginConfig, method: OTPMethods, on: boolean): LoginConfig {
  const order = Object.keys(METHODS) as OTPMethods[];
  const chosen = new Set(methodsOf(config));
  if (on) chosen.add(method);
  else chosen.delete(method);
  const methods = order.filter((one) => chosen.has(one));
  const next = { ...config, otpOptions: { ...config.otpOptions, methods } };
  return methods.length > 0 ? setProduct(next, 'otp', true) : next;
}

/** Sets one field of a look by its path, such as `colors.primary`; undefined removes it. */
export function setField(styles: StyleConfig, path: string, value: string | boolean | undefined): StyleConfig {
  return withField(styles as Fields, path.split('.'), value);
}

export function fieldOf(styles: StyleConfig, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), styles);
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function withField(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields {
  const { [name]: before, ...others } = fields;
  if (rest.length === 0) return value === undefined ? others : { ...fields, [name]: value };
  const inner = withField(isFields(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 ? others : { ...fields, [name]: inner };
}
