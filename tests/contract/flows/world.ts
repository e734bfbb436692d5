import type { Ports } from '../../../src/application/ports/index.ts';
import { PorticoClient } from '../../../src/composition/client.ts';
import type { Disposable } from '../runner.ts';

/** One browser: its tabs share what tabs share. */
export interface FlowBrowser {
  tab(): Ports;
}

/** A server and the people in front of it, whatever the server is made of. */
export interface FlowWorld extends Disposable {
  readonly publicToken: string;
  newBrowser(): FlowBrowser;
  /** An address that this world's server has never seen: `ada` gives such as `ada+7@example.com`. */
  address(name: string): string;
  /** The newest passcode sent to an address. */
  codeFor(email: string): Promise<string>;
  /** The token of the newest link sent to an address. */
  tokenFor(email: string): Promise<string>;
  /** Moves the clocks of the server and of every browser. */
  passTime(ms: number): void;
}

/** How a flow wants its server. */
export interface FlowProject {
  readonly pkceRequired: boolean;
}

export type MakeFlowWorld = (project: FlowProject) => Promise<FlowWorld>;

/** A client in a new tab, talking to the world's server. */
export function openClient(world: FlowWorld, browser: FlowBrowser): PorticoClient {
  return new PorticoClient(world.publicToken, {
    adapters: browser.tab(),
    endpointOptions: { testApiDomain: 'http://localhost:4100' },
  });
}

/** The wire's type of what a call rejects with, or the kind of an error that has none. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'not refused';
  } catch (error) {
    const { error_type, kind } = error as { error_type?: string; kind?: string };
    return error_type ?? kind ?? String(error);
  }
}
