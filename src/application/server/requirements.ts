import { SDKUsageError } from '../../domain/errors.ts';
import { isRecord, wrongFields, type FieldKind } from '../../domain/shape.ts';
import { nearestName } from '../../domain/widget/option-names.ts';
import type { Permission, Requirements } from './authentication.ts';

const SHAPE = {
  roles: 'string[]?',
  permission: 'object?',
  factors: 'number?',
  maxAgeMinutes: 'number?',
  fresh: 'boolean?',
  bound: 'boolean?',
} as const satisfies Readonly<Record<keyof Requirements, FieldKind>>;
const PERMISSION = { resource_id: 'string', action: 'string' } as const satisfies Record<keyof Permission, FieldKind>;

/** No session lasts longer. More are seconds or milliseconds by mistake. */
const MOST_MINUTES = 527_040;

/** Throws an SDKUsageError that names the first wrong requirement, because one without effect lets everybody in. */
export function checkRequirements(method: string, requirements: Requirements): void {
  const refuse = (details: string): never => {
    throw new SDKUsageError(method, details);
  };
  if (!isRecord(requirements)) return refuse('requirements must be an object, such as { roles: ["editor"] }');
  const names = Object.keys(requirements);
  const unknown = names.find((name) => !Object.hasOwn(SHAPE, name));
  if (unknown !== undefined) {
    const meant = nearestName(unknown, Object.keys(SHAPE));
    refuse(
      `${unknown} is no requirement${meant ? `. Did you mean ${meant}?` : `; there are ${Object.keys(SHAPE).join(', ')}`}`,
    );
  }
  // `fresh` alone may come from a condition: without it the JWT is still verified.
  const empty = names.find((name) => name !== 'fresh' && (requirements[name as keyof Requirements] ?? null) === null);
  if (empty !== undefined)
    refuse(`${empty} is ${String(requirements[empty as keyof Requirements])}: omit it to require nothing`);
  const { permission, factors, maxAgeMinutes } = requirements;
  const [wrong] = [
    ...wrongFields(SHAPE, requirements),
    ...(permission === undefined
      ? []
      : wrongFields(PERMISSION, permission).map(({ message }) => ({ message: `permission.${message}` }))),
  ];
  if (wrong !== undefined) refuse(wrong.message);
  const strange = Object.keys(permission ?? {}).find((name) => !Object.hasOwn(PERMISSION, name));
  if (strange !== undefined) refuse(`permission.${strange} is no requirement; there are resource_id, action`);
  if (factors !== undefined && factors !== 1 && factors !== 2) refuse('factors must be 1 or 2');
  if (typeof maxAgeMinutes === 'number' && (maxAgeMinutes < 0 || maxAgeMinutes > MOST_MINUTES)) {
    refuse(`maxAgeMinutes must be from 0 to ${MOST_MINUTES} minutes`);
  }
  return undefined;
}

/** Throws an SDKUsageError for anything but a verifier, before a request needs it. */
export function checkVerifier(method: string, verifier: unknown): void {
  if (isRecord(verifier) && typeof verifier['authenticateRequest'] === 'function') return;
  throw new SDKUsageError(method, 'verifier must be the result of createVerifier({ projectId, apiUrl })');
}
