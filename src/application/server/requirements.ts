import { isRecord, wrongFields, type FieldKind } from '#domain/shape.ts';
import { nearestName } from '#domain/widget/option-names.ts';
import type { Permission, Requirements } from './authentication.ts';
import { memberMistakes, refuseMistakes } from './mistakes.ts';

const SHAPE = {
  roles: 'string[]?',
  permission: 'object?',
  factors: 'number?',
  maxAgeMinutes: 'number?',
  fresh: 'boolean?',
  bound: 'boolean?',
} as const satisfies Readonly<Record<keyof Requirements, FieldKind>>;
const NAMES = Object.keys(SHAPE);
const PERMISSION = { resource_id: 'string', action: 'string' } as const satisfies Record<keyof Permission, FieldKind>;

/** No session lasts longer, so larger numbers are probably seconds or milliseconds by mistake. */
const MOST_MINUTES = 527_040;

/** The mistake in one requirement. */
function mistakesIn(name: string, value: unknown): readonly string[] {
  const kind = Object.hasOwn(SHAPE, name) ? SHAPE[name as keyof Requirements] : undefined;
  if (kind === undefined) {
    const nearest = nearestName(name, NAMES);
    return [`${name} is no requirement${nearest ? `. Did you mean ${nearest}?` : `; there are ${NAMES.join(', ')}`}`];
  }
  // `fresh` alone is allowed, because it may come from a condition: without it the JWT is still verified.
  if ((value ?? null) === null)
    return name === 'fresh' ? [] : [`${name} is ${String(value)}: omit it to require nothing`];
  const [wrong] = wrongFields({ [name]: kind }, { [name]: value });
  if (wrong !== undefined) return [wrong.message];
  if (name === 'permission') return memberMistakes(name, value, PERMISSION);
  if (name === 'factors' && value !== 1 && value !== 2) return ['factors must be 1 or 2'];
  const isWithin = name !== 'maxAgeMinutes' || ((value as number) >= 0 && (value as number) <= MOST_MINUTES);
  return isWithin ? [] : [`maxAgeMinutes must be from 0 to ${MOST_MINUTES} minutes`];
}

const requirementMistakes = (requirements: unknown): readonly string[] =>
  isRecord(requirements)
    ? Object.entries(requirements).flatMap(([name, value]) => mistakesIn(name, value))
    : ['requirements must be an object, such as { roles: ["editor"] }'];

/** The mistake of passing anything but a verifier. */
export const verifierMistakes = (verifier: unknown): readonly string[] =>
  isRecord(verifier) && typeof verifier['authenticateRequest'] === 'function'
    ? []
    : ['verifier must be the result of createVerifier({ projectId, apiUrl })'];

/** Throws an SDKUsageError that names every wrong requirement, because one without effect would let everybody in. */
export function checkRequirements(method: string, requirements: Requirements): void {
  refuseMistakes(method, requirementMistakes(requirements));
}

/** Throws an SDKUsageError for anything but a verifier, and for wrong requirements, before a request needs them. */
export function checkGuard(method: string, verifier: unknown, requirements: Requirements = {}): void {
  refuseMistakes(method, [...verifierMistakes(verifier), ...requirementMistakes(requirements)]);
}
