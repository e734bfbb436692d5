import { SDKAPIError } from '../../../src/domain/errors.ts';
import { toAuthError } from '../../../src/domain/thrown.ts';
import type { Fixture } from '../../gallery/fixture.ts';

/** Where a string stands in a fixture, such as `state.passkeys[].name`. */
type Path = string;

/** What a server, a wallet, an address or a host may have put any text into. */
const FREE =
  /^strings\.|\.(?:email|projectName|emailDomains\[\]|error_type|error_message|error_url|cause\.message|destination|national|international|country|defaultCountry|suggestions\[\]|warning|address|challenge|lastMethod|domain|domainHint|user_agent|clientName|account|host|logoUrl|header|details\[\]|ungrantable\[\]|logoImageUrl)$|^state\.(?:screen\.flow\.(?:step\.(?:phone_numbers\[\]\.phone_(?:id|number)|expires_at|recovery_pending\.available_at)|task\.(?:phone\.phone_(?:id|number)|totp\.(?:secret|uri|recoveryCodes\[\])))|consent\.(?:userCode|device\.(?:userCode|program|network)|resources\[\])|passkeys\[\]\.(?:name|webauthn_registration_id|authenticator_type|aaguid|created_at|last_used_at)|consent\.lists\[\]\.entries\[\]\.text|account\.(?:user\.(?:name\.\w+|providers\[\]\.provider_(?:type|subject)|crypto_wallets\[\]\.crypto_wallet_(?:type|address)|phone_numbers\[\]\.phone_number|webauthn_registrations\[\]\.(?:name|authenticator_type))|(?:devices|recoveries)\.items\[\]\.(?:\w+_at|ip_address)|sessions\.items\[\]\.(?:\w+_at|attributes\.ip_address|authentication_factors\[\]\.\w+)|apps\.items\[\]\.(?:name|logo_url|client_host|last_used_at)|task\.(?:totp\.(?:secret|uri|recoveryCodes\[\])|codes\[\])))$/u;

/** What our own code alone writes, or reads as one of a few words. Looks have tests of their own. */
const OURS =
  /^styles\.(?!logo\.)|^config\.(?:products\[\]|accountOptions\.(?:sections\[\]|signIn)|otpOptions\.methods\[\]|oauthOptions\.(?:layout|providers\[\]\.(?:type|position)))$|^state\.(?:pending|screen\.flow\.(?:at|doing|step\.(?:factors|enrol)\[\]|task\.(?:kind|channel))|passkeyNote|wallets\[\]|screen\.(?:name|userType|reason|tokenType|wallet|creation)|bootstrap\.(?:dfpProtectedAuthMode|mfa\.(?:policy|factors\[\]))|declined\.(?:provider|reason)|oneTap\.(?:status|place|fault)|consent\.status|account\.(?:at|way|(?:task|doing|failed)\.(?:kind|what|id)|news\.what|(?:sessions|apps|devices|recoveries|recoveryCodes)\.status|.*\w_id|user\.(?:status|created_at)|apps\.items\[\]\.(?:scopes_granted|client_origin))|toasts\[\]\.(?:kind|text)|strength\.strength\.strength_policy|consent\.(?:accountUrl|lists\[\]\.entries\[\]\.(?:scope|access)))$|\.(?:otp\.(?:type|methodId)|message\.kind|phone\.method|error\.(?:reason|kind|name))$/u;

export type Replace = (text: string, path: Path) => string;

function errorWith(error: Error, path: Path, replace: Replace): Error {
  if (!(error instanceof SDKAPIError)) {
    return 'cause' in error ? toAuthError(new Error(replace(error.message, `${path}.cause.message`))) : error;
  }
  const { status_code, error_type, error_message, error_url } = error;
  return new SDKAPIError({
    status_code,
    error_type: replace(error_type, `${path}.error_type`),
    error_message: replace(error_message, `${path}.error_message`),
    error_url: replace(error_url, `${path}.error_url`),
  });
}

function within(value: unknown, path: Path, replace: Replace): unknown {
  if (typeof value === 'string') {
    if (FREE.test(path)) return replace(value, path);
    if (OURS.test(path)) return value;
    throw new Error(`Is ${path} ours, or may anything stand there? Say so in hostile-strings.ts.`);
  }
  if (value instanceof Error) return errorWith(value, path, replace);
  if (Array.isArray(value)) return value.map((each) => within(each, `${path}[]`, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, within(each, `${path}.${key}`, replace)]));
}

/** The fixture with another text wherever there may be any. A string that nobody has placed yet throws. */
export function withTexts({ state, config, styles, strings, ...rest }: Fixture, replace: Replace): Fixture {
  const hint = { ...config, emailMagicLinksOptions: { domainHint: 'acme.test' } };
  const given = { state, config: hint, styles: { ...styles, logo: { logoImageUrl: 'x', ...styles?.logo } }, strings };
  const changed = Object.entries(given).map(([name, part]) => [name, within(part, name, replace)]);
  return { ...rest, ...(Object.fromEntries(changed) as typeof given) };
}

/** Which elements there are with which attributes, whatever their texts and values say. A long address has places to break. */
export function skeleton(element: Element): string {
  const names = element.getAttributeNames().sort().join(' ');
  return `<${element.tagName} ${names}>${[...element.children]
    .filter(({ tagName }) => tagName !== 'WBR')
    .map(skeleton)
    .join('')}</>`;
}
