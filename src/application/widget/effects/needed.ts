import { SDKAPIUnreachableError } from '../../../domain/errors.ts';

/** A text of a reply that a widget cannot go on without; the client hands it on to a host as it came. */
export function needed(value: unknown): string {
  if (typeof value !== 'string') throw new SDKAPIUnreachableError('invalid-response');
  return value;
}
