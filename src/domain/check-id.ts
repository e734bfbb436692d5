import { SDKUsageError } from './errors.ts';
import { checkArguments } from './shape.ts';

/** Throws an SDKUsageError for a value that cannot be one segment of a path. */
export function checkId(method: string, field: string, id: unknown): void {
  checkArguments(method, { [field]: 'string' }, { [field]: id });
  if (id === '' || id === '.' || id === '..') throw new SDKUsageError(method, `${field} must be an id`);
}
