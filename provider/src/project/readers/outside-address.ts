import { isLoopbackHost } from '../../../../src/domain/safe-url.ts';
import { mayCall } from '../../base/http/outside-fetch.ts';
import { FieldError } from './readers.ts';

/** Refuses the URL of another service that this server would never call. A name may still lead to a private address later. */
export function checkOutside(text: string, path: string, allowPrivate: boolean): void {
  const url = new URL(text);
  if (mayCall(url, allowPrivate) && (allowPrivate || !isLoopbackHost(url.hostname))) return;
  throw new FieldError(path, 'https at a public address, unless allow_loopback is true');
}
