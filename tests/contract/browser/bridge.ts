/** What the page asks of the test process: the other tab, the authenticator, the network. */
import type { UserNames } from '#domain/passkeys/user-names.ts';
import type { PostedForm } from '#kit/ports/fake-form-post.ts';
import type { ReceivedRequest, TransportHarness } from '../transport.contract.ts';

/** What becomes of a script on the network. */
export type Delivery = 'comes' | 'is blocked' | 'does not answer';

/** Each operation, its arguments and its answer; all of it JSON. */
export interface Operations {
  storage: (action: 'get' | 'set' | 'remove', key: string, value?: string) => string | null;
  add: (database: string, text: string) => boolean;
  take: (database: string, count: number) => readonly string[];
  authenticator: (action: 'fresh' | 'hold' | 'refuse' | 'count') => number;
  passkeyNames: () => readonly UserNames[];
  cookies: (action: 'clear' | 'block' | 'unblock' | 'age', ms?: number) => null;
  deliver: (script: string, delivery: Delivery) => null;
  left: () => { readonly navigations: readonly string[]; readonly posted: readonly PostedForm[] };
  forget: () => null;
  serve: (answer: Parameters<TransportHarness['serve']>[0]) => null;
  received: () => readonly ReceivedRequest[];
}

export type Operation = keyof Operations;
export type Request = {
  readonly [Name in Operation]: { readonly name: Name; readonly args: Parameters<Operations[Name]> };
}[Operation];

/** Asks, and lets the page go on meanwhile. */
export async function ask<Name extends Operation>(
  name: Name,
  ...args: Parameters<Operations[Name]>
): Promise<ReturnType<Operations[Name]>> {
  const response = await fetch('/bridge', { method: 'POST', body: JSON.stringify({ name, args }) });
  if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
  return (await response.json()) as ReturnType<Operations[Name]>;
}

/** Asks, and the page stands still until the answer is there. */
export function askAndWait<Name extends Operation>(
  name: Name,
  ...args: Parameters<Operations[Name]>
): ReturnType<Operations[Name]> {
  const request = new XMLHttpRequest();
  request.open('POST', '/bridge', false);
  request.send(JSON.stringify({ name, args }));
  if (request.status !== 200) throw new Error(`${name}: ${request.responseText}`);
  return JSON.parse(request.responseText) as ReturnType<Operations[Name]>;
}
