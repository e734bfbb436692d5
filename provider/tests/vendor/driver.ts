import type { Page } from 'playwright';
import type { Fields, Provider } from '../kit/harness.ts';
import type { Outcome } from './expose.ts';

export const MINUTES = { session_duration_minutes: 60 };

/** Calls the methods of the client in the page. */
export function driverOf(page: () => Page, provider: () => Provider) {
  function outcome(method: string, ...args: readonly unknown[]): Promise<Outcome> {
    return page().evaluate(([path, given]) => window.callClient(path, given), [method, args] as const);
  }

  /** The value that the method resolves with. */
  async function call(method: string, ...args: readonly unknown[]): Promise<Fields> {
    const { ok, value } = await outcome(method, ...args);
    if (!ok) throw new Error(`${method}: ${JSON.stringify(value)}`);
    return value as Fields;
  }

  async function refused(method: string, ...args: readonly unknown[]): Promise<Fields> {
    const { ok, value } = await outcome(method, ...args);
    if (ok) throw new Error(`${method} was not refused`);
    return value as Fields;
  }

  async function lastMessage(to: string) {
    const message = await provider().newest(to);
    if (message === undefined) throw new Error(`nothing was sent to ${to}`);
    return message;
  }

  async function signIn(email: string): Promise<Fields> {
    const { method_id } = await call('otps.email.loginOrCreate', email, { expiration_minutes: 5 });
    return call('otps.authenticate', (await lastMessage(email)).code, method_id, MINUTES);
  }

  /** The token in the link of the newest mail. */
  async function linkToken(email: string): Promise<string> {
    return new URL((await lastMessage(email)).link ?? '').searchParams.get('token') ?? '';
  }

  return { outcome, call, refused, lastMessage, signIn, linkToken };
}
