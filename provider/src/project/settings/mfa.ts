import { PHONE_METHODS } from '#domain/contacts/channels.ts';
import type { MfaRequirement, MfaRules, TrustedProvider } from '#server-rules/mfa-policy.ts';
import { MFA_FACTORS, type MfaFactor } from '#domain/sessions/mfa.ts';
import { isRecord } from '#domain/shape.ts';
import {
  distinct,
  FieldError,
  flag,
  listOf,
  Mistakes,
  object,
  oneOf,
  text,
  texts,
  whole,
  type Reader,
} from '../readers/readers.ts';

const DEFAULT_FACTORS: readonly MfaFactor[] = ['totp', 'webauthn', 'recovery_code'];

const policy: Reader<MfaRequirement | 'off'> = (value, path) => {
  if (isRecord(value))
    return object<{ readonly required_for_roles: readonly string[] }>({ required_for_roles: texts() })(value, path);
  const modes = ['off', 'when_enrolled', 'required'] as const;
  const found = modes.find((each) => each === value);
  if (found === undefined) throw new FieldError(path, `one of ${modes.join(', ')}, or { "required_for_roles": [...] }`);
  return found;
};

const rules = object<MfaRules>(
  {
    policy,
    factors: listOf(oneOf(...MFA_FACTORS)),
    trusted_devices: object<{ readonly days: number }>({ days: whole(1, 365) }),
    trusted_providers: distinct(
      'provider',
      ({ provider }: TrustedProvider) => provider,
      listOf(object<TrustedProvider>({ provider: text, amr: texts(), acr: texts() }, { amr: [], acr: [] })),
    ),
    show_recovery_codes_again: flag,
    recovery_hours: whole(1, 30 * 24),
  },
  {
    policy: 'off',
    factors: DEFAULT_FACTORS,
    trusted_devices: null,
    trusted_providers: [],
    show_recovery_codes_again: false,
    recovery_hours: 24,
  },
);

/**
 * The settings `mfa` of the project file. `null`, and no setting, mean the policy `off`. `recovery_hours: null` means no recoveries, which
 * is not the default.
 */
export const mfaRules: Reader<MfaRules | null> = (value, path) => {
  if (value === null) return null;
  const fields = isRecord(value) ? value : {};
  const read = rules(value, path);
  return fields['recovery_hours'] === null ? { ...read, recovery_hours: null } : read;
};

/** Refuses a policy that nobody could fulfil, and roles and social providers that the project does not have. */
export function checkMfa({
  mfa,
  rbac_policy,
  oauth_providers,
  oauth_clients,
}: {
  readonly oauth_providers: readonly string[];
  readonly oauth_clients: object;
  readonly mfa: MfaRules | null;
  readonly rbac_policy: { readonly roles: readonly { readonly role_id: string }[] };
}): void {
  if (mfa === null) return;
  const mistakes = new Mistakes();
  const isRecoveryAlone = mfa.policy !== 'off' && mfa.factors.every((factor) => factor === 'recovery_code');
  mistakes.refuseIf(isRecoveryAlone, 'mfa.factors', `with one of totp, webauthn, ${PHONE_METHODS.join(' and ')}`);
  mfa.trusted_providers?.forEach(({ provider, amr, acr }, index) => {
    const field = `mfa.trusted_providers[${index}]`;
    const isStrange = !oauth_providers.includes(provider) && !Object.hasOwn(oauth_clients, provider);
    mistakes.refuseIf(isStrange, `${field}.provider`, 'a social provider of the project');
    mistakes.refuseIf(amr.length + acr.length === 0, `${field}.amr`, 'not empty, unless acr has a value');
  });
  const required = typeof mfa.policy === 'string' ? [] : mfa.policy.required_for_roles;
  const roles = new Set(rbac_policy.roles.map(({ role_id }) => role_id));
  required.forEach((role, index) => {
    mistakes.refuseIf(!roles.has(role), `mfa.policy.required_for_roles[${index}]`, 'a role of rbac_policy');
  });
  mistakes.check();
}
