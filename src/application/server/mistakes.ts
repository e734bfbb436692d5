import { SDKUsageError } from '#domain/errors.ts';
import { wrongFields, type Shape } from '#domain/shape.ts';
import { unknownOption } from '#domain/widget/option-names.ts';

/** Throws one SDKUsageError with all mistakes of a call, one per line. Returns if there are none. */
export function refuseMistakes(method: string, mistakes: readonly string[]): void {
  if (mistakes.length > 0) throw new SDKUsageError(method, mistakes.join('\n'));
}

/** The mistakes in an option's members: unknown names, and wrong values. */
export function memberMistakes(option: string, members: unknown, shape: Shape): readonly string[] {
  const unknown = unknownOption(members, Object.keys(shape)) ?? [];
  const wrong = wrongFields(shape, members).map(({ message }) => message);
  return [unknown, wrong].flat().map((mistake) => `${option}.${mistake}`);
}
