import { object, oneOf, Mistakes, type Reader } from '../readers/readers.ts';
import { checkOutside } from '../readers/outside-address.ts';
import { SIGNED_URL, signingSecrets } from './webhooks.ts';

/** The moments at which the app's own server can decide. */
export const HOOKS = ['sign_up', 'login'] as const;
export type HookName = (typeof HOOKS)[number];

/** A URL of the app's own server that decides about a sign-up or a login. */
export interface HookSettings {
  readonly url: string;
  /** Each of them signs, so that the server accepts requests during the whole replacement of one by another. */
  readonly secret: readonly string[];
  /** What happens if there is no valid answer. */
  readonly on_failure: 'refuse' | 'allow';
  /** The most milliseconds from the request to the last byte of the answer. Files cannot set it. */
  readonly deadline_ms: number;
}

export type Hooks = Readonly<Record<HookName, HookSettings | null>>;

export const NO_HOOKS: Hooks = { sign_up: null, login: null };

const DEADLINE_MS = 2_000;

const hook: Reader<HookSettings> = (value, path) => ({
  ...object<Omit<HookSettings, 'deadline_ms'>>(
    { url: SIGNED_URL, secret: signingSecrets, on_failure: oneOf('refuse', 'allow') },
    { on_failure: 'refuse' },
  )(value, path),
  deadline_ms: DEADLINE_MS,
});

export const hooks: Reader<Hooks> = object<Hooks>({ sign_up: hook, login: hook }, NO_HOOKS);

/** Refuses a URL that would never be called. */
export function checkHooks(project: { readonly hooks: Hooks; readonly allow_loopback: boolean }): void {
  const mistakes = new Mistakes();
  for (const name of HOOKS) {
    const settings = project.hooks[name];
    if (settings === null) continue;
    mistakes.attempt(() => checkOutside(settings.url, `hooks.${name}.url`, project.allow_loopback));
  }
  mistakes.check();
}
