import type { LoginConfig, StringOverrides, StyleConfig } from 'portico';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

const OPTIONS = ['emailMagicLinksOptions', 'oauthOptions', 'otpOptions', 'passwordOptions', 'sessionOptions'];

/**
 * The value of a URL as a configuration. Throws a TypeError that names the invalid field. Anyone can write a URL, so emails and
 * social logins may lead only to this site.
 */
export function configOf(value: unknown, origin: string): LoginConfig {
  if (!isObject(value)) throw new TypeError('config must be an object');
  const { products, otpOptions, oauthOptions, defaultCountry, sessionOptions } = value;
  if (products !== undefined && !isTexts(products)) throw new TypeError('config.products must be an array of strings');
  for (const name of OPTIONS) {
    const options = value[name];
    if (options === undefined) continue;
    if (!isObject(options)) throw new TypeError(`config.${name} must be an object`);
    checkUrls(options, name, origin);
  }
  const { accountOptions } = value;
  if (accountOptions !== undefined && !isObject(accountOptions)) {
    throw new TypeError('config.accountOptions must be an object');
  }
  const signIn = accountOptions?.['signIn'];
  if (signIn !== undefined && !isOwn(signIn, origin, origin)) {
    throw new TypeError(`config.accountOptions.signIn must be a page of ${origin}`);
  }
  if (isObject(otpOptions) && !isTexts(otpOptions['methods'])) {
    throw new TypeError('config.otpOptions.methods must be an array of strings');
  }
  if (isObject(oauthOptions)) {
    const { providers } = oauthOptions;
    const ok = Array.isArray(providers) && providers.every((one) => isObject(one) && typeof one['type'] === 'string');
    if (!ok) throw new TypeError('config.oauthOptions.providers must be an array of { type }');
  }
  const minutes = isObject(sessionOptions) ? sessionOptions['sessionDurationMinutes'] : undefined;
  if (minutes !== undefined && typeof minutes !== 'number') {
    throw new TypeError('config.sessionOptions.sessionDurationMinutes must be a number');
  }
  if (defaultCountry !== undefined && typeof defaultCountry !== 'string') {
    throw new TypeError('config.defaultCountry must be a string');
  }
  return value;
}

const isOwn = (url: unknown, origin: string, base?: string): boolean =>
  typeof url === 'string' && URL.canParse(url, base) && new URL(url, base).origin === origin;

function checkUrls(options: Fields, name: string, origin: string): void {
  for (const [field, url] of Object.entries(options)) {
    if (!field.endsWith('RedirectURL')) continue;
    if (!isOwn(url, origin)) throw new TypeError(`config.${name}.${field} must be a page of ${origin}`);
  }
}

/** The widget checks every field of a look and ignores invalid ones. A logo must be from this site. */
export function stylesOf(value: unknown, origin: string): StyleConfig {
  if (!isObject(value)) throw new TypeError('styles must be an object');
  for (const name of ['container', 'colors', 'buttons', 'inputs', 'logo']) {
    if (value[name] !== undefined && !isObject(value[name])) throw new TypeError(`styles.${name} must be an object`);
  }
  // A preset as data contains style sheets, which a URL must not supply.
  const { preset } = value as { readonly preset?: unknown };
  if (preset !== undefined && typeof preset !== 'string') throw new TypeError('styles.preset must be a name');
  const logo = isObject(value['logo']) ? value['logo']['logoImageUrl'] : undefined;
  // A picture from another server would reveal to it who opened the link.
  if (logo !== undefined && !isOwn(logo, origin, origin)) {
    throw new TypeError(`styles.logo.logoImageUrl must be a picture of ${origin}`);
  }
  return value;
}

export function stringsOf(value: unknown): StringOverrides {
  if (!isObject(value) || !isTexts(Object.values(value))) throw new TypeError('strings must be an object of strings');
  return value as StringOverrides;
}
