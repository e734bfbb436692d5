import { Container } from 'inversify';
import type { Ports } from '../../application/ports/index.ts';
import type { Core } from '../../application/services.ts';
import type { RiskSettings } from '../../application/wire/risky-call.ts';
import { PORTS } from '../core.ts';

/** A class is the token of its own instance; the token of an interface is a name that carries its type. */
export type Token<T> = abstract new (...args: never[]) => T;

const nameOf = <T>(name: string): Token<T> & symbol => Symbol(name) as unknown as Token<T> & symbol;

/** A token for every port, under the port's public name. */
export const PORT = Object.fromEntries(Object.keys(PORTS).map((name) => [name, nameOf(name)])) as unknown as {
  readonly [Name in keyof Ports]: Token<Ports[Name]>;
};
export const RISK_SETTINGS = nameOf<RiskSettings>('riskSettings');
/** What a flow takes whole: the instances of the page's start. */
export const CORE = nameOf<Core>('core');

/** The container of one client: every class in it has one instance. */
export const newContainer = (): Container => new Container({ defaultScope: 'Singleton' });

export function bindValue<T>(container: Container, token: Token<T>, value: T): void {
  container.bind<T>(token).toConstantValue(value);
}

type TokensFor<Args extends readonly unknown[]> = { [Index in keyof Args]: Token<Args[Index]> };

/** Binds a class to its dependencies, in the constructor's order: a wrong or missing one does not compile. */
export function bindClass<Args extends unknown[]>(
  container: Container,
  Class: new (...args: Args) => unknown,
  dependencies: TokensFor<Args>,
): void {
  container.bind(Class).toResolvedValue((...args: Args) => new Class(...args), dependencies as never);
}
