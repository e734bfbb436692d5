import { SchemaRefusal } from '#domain/rules/refusal.ts';
import { FieldError, type Reader } from './readers.ts';

/** Refuses a body, naming the field: `scopes[1] must be …`. */
export function wrongField(field: string, must: string): SchemaRefusal {
  return new SchemaRefusal([{ dataPath: [field], message: `${field} must be ${must}` }]);
}

/** Reads a body by the rules of the project file. */
export function readBy<T>(read: Reader<T>, value: unknown): T {
  try {
    return read(value, '');
  } catch (error) {
    throw error instanceof FieldError ? wrongField(error.path, error.must) : error;
  }
}
