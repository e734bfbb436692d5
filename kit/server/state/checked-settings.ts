import { LINK_MINUTES, SESSION_MINUTES } from '#domain/rules/lifetimes.ts';
import { isRecord } from '#domain/shape.ts';
import type { SignUpRules } from '#server-rules/sign-ups.ts';
import { didYouMean } from '#domain/widget/meant-name.ts';
import type { FakeSettings } from './tables.ts';

interface Kind {
  readonly must: string;
  readonly passes: (value: unknown) => boolean;
}

const isListOf = (passes: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every((item) => passes(item));
const isText = (value: unknown): boolean => typeof value === 'string';
const orNull = ({ must, passes }: Kind): Kind => ({
  must: `${must}, or null`,
  passes: (value) => value === null || passes(value),
});
const minutes = ({ min, max }: { readonly min: number; readonly max: number }): Kind => ({
  must: `a whole number of minutes from ${min} to ${max}`,
  passes: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
});
const FLAG: Kind = { must: 'true or false', passes: (value) => typeof value === 'boolean' };
const TEXTS: Kind = { must: 'an array of strings', passes: isListOf(isText) };
const OBJECTS: Kind = { must: 'an array of objects', passes: isListOf(isRecord) };

const POLICIES: readonly SignUpRules['policy'][] = ['open', 'invited', 'closed'];

/** The type of each setting. A setting without one is a compile error. */
export const SETTING_KINDS = {
  origins: orNull(TEXTS),
  redirectUrls: orNull(TEXTS),
  defaultRedirectUrl: { must: 'a string', passes: isText },
  allowLoopback: FLAG,
  clients: OBJECTS,
  roleAssignments: {
    must: 'an array of { email, roles }',
    passes: isListOf((each) => isRecord(each) && isText(each['email']) && TEXTS.passes(each['roles'])),
  },
  trustedProfiles: TEXTS,
  breachedPasswords: TEXTS,
  sessionMaxMinutes: minutes(SESSION_MINUTES),
  sessionAbsoluteMinutes: minutes(SESSION_MINUTES),
  httpOnlySessions: FLAG,
  accountDeletion: FLAG,
  passkeySignUp: FLAG,
  signUp: {
    must: `an object { policy, domains, roles } with the policy ${POLICIES.join(', ')}`,
    passes: (value) =>
      isRecord(value) &&
      POLICIES.some((policy) => policy === value['policy']) &&
      TEXTS.passes(value['domains']) &&
      TEXTS.passes(value['roles']),
  },
  linkMaxMinutes: minutes(LINK_MINUTES),
  mfa: orNull({ must: 'an object', passes: isRecord }),
  profile: orNull({
    must: 'an object { fields, terms, url }',
    passes: (value) => isRecord(value) && OBJECTS.passes(value['fields']) && OBJECTS.passes(value['terms']),
  }),
} as const satisfies Record<keyof FakeSettings, Kind>;

const NAMES = Object.keys(SETTING_KINDS);

/** A role that the policy does not have. Undefined if there is no such role, or no policy. */
function unknownRole(ids: readonly string[], policy: unknown): string | undefined {
  const roles = isRecord(policy) ? policy['roles'] : null;
  if (!Array.isArray(roles)) return undefined;
  const roleIds = new Set(roles.map((role: unknown) => (isRecord(role) ? role['role_id'] : null)));
  return ids.find((role) => !roleIds.has(role));
}

/** The roles in a value of the setting. */
function rolesIn(name: string, value: unknown): readonly string[] {
  if (name === 'roleAssignments') return (value as FakeSettings['roleAssignments']).flatMap(({ roles }) => roles);
  return name === 'signUp' ? (value as FakeSettings['signUp']).roles : [];
}

/**
 * Settings that throw a TypeError for an unknown name, a value of another type, minutes out of range, and roles that the policy does not
 * have.
 *
 * @param policy the project's `rbac_policy`, if it has one
 */
export function checkedSettings(settings: FakeSettings, policy: () => unknown): FakeSettings {
  return new Proxy(settings, {
    set(target, name, value: unknown) {
      if (typeof name !== 'string' || !Object.hasOwn(SETTING_KINDS, name)) {
        const option = String(name);
        throw new TypeError(
          `FakeServer.settings.${option} is no setting.${didYouMean(option, NAMES) || ` There are ${NAMES.join(', ')}.`}`,
        );
      }
      const { must, passes } = SETTING_KINDS[name as keyof FakeSettings];
      if (!passes(value)) throw new TypeError(`FakeServer.settings.${name} must be ${must}.`);
      const role = unknownRole(rolesIn(name, value), policy());
      if (role !== undefined) {
        throw new TypeError(
          `FakeServer.settings.${name} has the role ${JSON.stringify(role)}, which project.rbac_policy does not have.`,
        );
      }
      return Reflect.set(target, name, value);
    },
  });
}
