import { AsyncLocalStorage } from 'node:async_hooks';
import { createMiddleware } from 'hono/factory';
import { SCOPE_HEADER } from '#application/dev-control/dev-control.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { refuse } from '#provider/base/http/replies.ts';

const SCOPE = /^[\w.-]{1,64}$/u;

const scopes = new AsyncLocalStorage<string | null>();

/** The scope of the current request; null without one, and outside of requests. */
export function currentScope(): string | null {
  return scopes.getStore() ?? null;
}

/** Reads the scope of each request from its header. */
export const scoped = createMiddleware<AppEnv>(async (context, next) => {
  const scope = context.req.header(SCOPE_HEADER) ?? null;
  if (scope !== null && !SCOPE.test(scope)) {
    const refusal = new Refusal('bad_request', `${SCOPE_HEADER} must be 1 to 64 letters, digits and . _ -`);
    return refuse(context, refusal);
  }
  return scopes.run(scope, next);
});

/** The most scopes that are stored. A test run has one scope per test. */
const MAX_SCOPES = 1_000;

/** A value for each scope, and one for requests without a scope. The oldest scopes are dropped. */
export class ScopedValues<T> {
  private readonly valueByScope = new Map<string | null, T>();

  /** The value of the scope, or else the value for all requests. */
  of(scope: string | null): T | undefined {
    return this.valueByScope.get(scope) ?? this.valueByScope.get(null);
  }

  /** The values of all scopes. */
  values(): readonly T[] {
    return [...this.valueByScope.values()];
  }

  set(scope: string | null, value: T): void {
    this.valueByScope.delete(scope);
    this.valueByScope.set(scope, value);
    for (const oldest of this.valueByScope.keys()) {
      if (this.valueByScope.size <= MAX_SCOPES) return;
      if (oldest !== null) this.valueByScope.delete(oldest);
    }
  }

  /** Deletes the value that applies to the scope. */
  use(scope: string | null): void {
    this.valueByScope.delete(this.valueByScope.has(scope) ? scope : null);
  }

  /** Deletes the value of the scope; with null, the values of all scopes. */
  remove(scope: string | null): void {
    if (scope === null) this.valueByScope.clear();
    else this.valueByScope.delete(scope);
  }
}
