import { SDKUsageError } from '../../domain/errors.ts';
import { wrongFields, type Shape } from '../../domain/shape.ts';

/** Throws an SDKUsageError that names the first wrong argument (specification, section 5). Nothing has been sent then. */
export function checkArguments(method: string, shape: Shape, values: object): void {
  const wrong = wrongFields(shape, values)[0];
  if (wrong) throw new SDKUsageError(method, wrong.message);
}
