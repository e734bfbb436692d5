import { isLoopbackHost } from '#domain/safe-url.ts';
import { mayCall } from '#provider/base/http/outside-fetch.ts';
import { FieldError } from './readers.ts';

/** Refuses the URL of another service if this server would never call it. A name may still resolve to a private address later. */
export function checkOutside(text: string, path: string, allowPrivate: boolean): void {
  const url = new URL(text);
  if (mayCall(url, allowPrivate) && (allowPrivate || !isLoopbackHost(url.hostname))) return;
  throw new FieldError(path, 'https at a public address, unless allow_loopback is true');
}
