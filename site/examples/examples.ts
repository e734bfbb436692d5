import { exampleAddress } from '../../demo/embed/address.ts';
import { CALLBACKS, CLIENT, CONSENT, COOKIES, ENDPOINTS, ACCOUNT, LOGIN, MOUNT, PASSKEYS, RESET } from './client.ts';
import { ACCOUNT_PAGE, CODES, CONFIG, LINKS, PASSKEY, PASSWORDS, PROVIDER, SESSION, SOCIAL } from './config.ts';
import type { Example } from './example.ts';
import { BUTTONS, CONTAINER, INPUTS, STYLES } from './styles.ts';

/** The examples of each section of the configuration's reference, by its title. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  'The client': CLIENT,
  'Hosts and domains: `endpointOptions`': ENDPOINTS,
  'Cookies: `cookieOptions`': COOKIES,
  'Every mount': MOUNT,
  '`mountLogin`': LOGIN,
  '`mountResetPassword`': RESET,
  '`mountPasskeyRegistration`': PASSKEYS,
  '`mountAccount`': ACCOUNT,
  '`mountIdentityProvider`': CONSENT,
  '`config`': CONFIG,
  '`config.emailMagicLinksOptions`': LINKS,
  '`config.otpOptions`': CODES,
  '`config.oauthOptions`': SOCIAL,
  '`config.oauthOptions.providers[]`': PROVIDER,
  '`config.passwordOptions`': PASSWORDS,
  '`config.passkeyOptions`': PASSKEY,
  '`config.sessionOptions`': SESSION,
  '`config.accountOptions`': ACCOUNT_PAGE,
  '`styles`': STYLES,
  '`styles.container`': CONTAINER,
  '`styles.buttons`: `primary`, `secondary`, `disabled`': BUTTONS,
  '`styles.inputs`': INPUTS,
  '`callbacks`': CALLBACKS,
};

/** The example of an option, by the section's title and the option's name. */
export function exampleOf(section: string, option: string): Example & { readonly address: string } {
  const example = EXAMPLES[section]?.[option];
  if (example === undefined) throw new Error(`The option ${option} in "${section}" has no live example.`);
  return { ...example, address: exampleAddress(example.choices ?? {}, example) };
}
