import { SDKUsageError } from '../domain/errors.ts';
import { wrongFields, type Shape } from '../domain/shape.ts';

/** Throws an SDKUsageError that names the first wrong argument (specification, section 5). Nothing has been sent then. */
export function checkArguments(method: string, shape: Shape, values: unknown): void {
  const wrong = wrongFields(shape, values)[0];
  if (wrong) throw new SDKUsageError(method, wrong.message);
}

/** The minutes that nearly every authenticate call takes. */
export interface Duration {
  /** How long the session lasts. */
  readonly session_duration_minutes: number;
}

export const DURATION = { session_duration_minutes: 'number' } as const satisfies Shape;

/** Throws an SDKUsageError for what cannot be one segment of a path. */
export function checkId(method: string, field: string, id: unknown): void {
  checkArguments(method, { [field]: 'string' }, { [field]: id });
  if (id === '' || id === '.' || id === '..') throw new SDKUsageError(method, `${field} must be an id`);
}
