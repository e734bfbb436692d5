import type { MfaRequirement, MfaRules } from '../../../src/domain/rules/mfa-policy.ts';
import { MFA_FACTORS, type MfaFactor } from '../../../src/domain/sessions/mfa.ts';
import { OAUTH_PROVIDERS } from '../../../src/domain/social/oauth-providers.ts';
import { isRecord } from '../../../src/domain/shape.ts';
import { FieldError, flag, listOf, object, oneOf, texts, whole, within, type Reader } from './readers.ts';

type TrustedProviders = MfaRules['trusted_providers'];

const DEFAULT_FACTORS: readonly MfaFactor[] = ['totp', 'webauthn', 'recovery_code'];

const policy: Reader<MfaRequirement | 'off'> = (value, path) => {
  if (isRecord(value))
    return object<{ readonly required_for_roles: readonly string[] }>({ required_for_roles: texts() })(value, path);
  const known = ['off', 'when_enrolled', 'required'] as const;
  const found = known.find((each) => each === value);
  if (found === undefined) throw new FieldError(path, `one of ${known.join(', ')}, or { "required_for_roles": [...] }`);
  return found;
};

const trustedProvider = object<TrustedProviders[string]>({ amr: texts(), acr: texts() }, { amr: [], acr: [] });

/** `{ "google": { "amr": ["mfa"] } }`, for the names of social providers. */
const trustedProviders: Reader<TrustedProviders> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  const entries = Object.entries(value).map(([name, given]): [string, TrustedProviders[string]] => {
    if (!Object.hasOwn(OAUTH_PROVIDERS, name))
      throw new FieldError(within(path, name), 'the name of a social provider');
    const trusted = trustedProvider(given, within(path, name));
    if (trusted.amr.length + trusted.acr.length === 0)
      throw new FieldError(within(path, name), 'at least one value in amr or acr');
    return [name, trusted];
  });
  return Object.fromEntries(entries);
};

/** The settings `mfa` of the project file. `null`, and no setting, are the policy `off`. */
export const mfaRules: Reader<MfaRules | null> = (value, path) =>
  value === null
    ? null
    : object<MfaRules>(
        {
          policy,
          factors: listOf(oneOf(...MFA_FACTORS)),
          trusted_devices: object<{ readonly days: number }>({ days: whole(1, 365) }),
          trusted_providers: trustedProviders,
          show_recovery_codes_again: flag,
          recovery_hours: whole(1, 30 * 24),
        },
        {
          policy: 'off',
          factors: DEFAULT_FACTORS,
          trusted_devices: null,
          trusted_providers: {},
          show_recovery_codes_again: false,
          recovery_hours: null,
        },
      )(value, path);

/** Refuses a policy that nobody could fulfil, and roles that the project does not have. */
export function checkMfa({
  mfa,
  rbac_policy,
}: {
  readonly mfa: MfaRules | null;
  readonly rbac_policy: { readonly roles: readonly { readonly role_id: string }[] };
}): void {
  if (mfa === null) return;
  if (mfa.policy !== 'off' && mfa.factors.every((factor) => factor === 'recovery_code')) {
    throw new FieldError('mfa.factors', 'with one of totp, webauthn, sms and whatsapp');
  }
  if (typeof mfa.policy === 'string') return;
  const roles = new Set(rbac_policy.roles.map(({ role_id }) => role_id));
  const strange = mfa.policy.required_for_roles.findIndex((role) => !roles.has(role));
  if (strange >= 0) throw new FieldError(`mfa.policy.required_for_roles[${strange}]`, 'a role of rbac_policy');
}
