import { Container, decorate, inject, injectable } from 'inversify';
import type { Ports } from '#application/ports/index.ts';
import type { AuthorizationServices } from '#application/use-cases/consent/authorization-flow.ts';
import type { RiskSettings } from '#application/wire/risky-call.ts';
import { PORTS } from '../core.ts';

/** The token of a class is the class itself. The token of an interface is a name with its type. */
export type Token<T> = abstract new (...args: never[]) => T;

const nameOf = <T>(name: string): Token<T> & symbol => Symbol(name) as unknown as Token<T> & symbol;

/** A token for every port, under the port's public name. */
export const PORT = Object.fromEntries(Object.keys(PORTS).map((name) => [name, nameOf(name)])) as unknown as {
  readonly [Name in keyof Ports]: Token<Ports[Name]>;
};
export const RISK_SETTINGS = nameOf<RiskSettings>('riskSettings');
export const AUTHORIZATION_SERVICES = nameOf<AuthorizationServices>('authorizationServices');

/** The container of one client: every class in it has one instance. */
export const newContainer = (): Container => new Container({ defaultScope: 'Singleton' });

export function bindValue<T>(container: Container, token: Token<T>, value: T): void {
  container.bind<T>(token).toConstantValue(value);
}

type TokensFor<Args extends readonly unknown[]> = { readonly [Index in keyof Args]: Token<Args[Index]> };

/**
 * Declares the dependencies of a class in the constructor's order. A wrong or missing dependency is a compile error. inversify stores them
 * with the class as metadata, by reflect-metadata, like its decorators would, so that a use case imports neither. Call it once for each
 * class.
 */
export function injected<Args extends unknown[]>(
  Class: new (...args: Args) => object,
  dependencies: TokensFor<Args>,
): new (...args: Args) => object {
  decorate(injectable(), Class);
  dependencies.forEach((token, index) => decorate(inject(token), Class, index));
  return Class;
}

/** Binds an interface to the result of a function of its dependencies. */
export function bindMade<T, Args extends unknown[]>(
  container: Container,
  token: Token<T>,
  make: (...args: Args) => T,
  dependencies: TokensFor<Args>,
): void {
  container.bind<T>(token).toResolvedValue(make, dependencies as never);
}
