import { SDKAPIUnreachableError } from '../../../domain/errors.ts';

/** A text that the widget needs of a reply. Throws when it is missing: the client itself does not check it. */
export function needed(value: unknown): string {
  if (typeof value !== 'string') throw new SDKAPIUnreachableError('invalid-response');
  return value;
}
