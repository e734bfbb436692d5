import { getRequestListener } from '@hono/node-server';
import { operatorsApp } from '../operators/app.ts';
import type { Services } from '../services.ts';
import { listen } from './listen.ts';
import type { OperatorsOptions } from './operators-options.ts';

export interface ServedOperators {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the operators' page on a listener of its own: what the public reaches does not have it. */
export async function serveOperators(
  services: Services,
  { host, port, origin: given }: OperatorsOptions,
): Promise<ServedOperators> {
  let answer: ReturnType<typeof getRequestListener> | null = null;
  const listening = await listen((request, response) => void answer?.(request, response), host, port);
  const origin = given ?? `http://localhost:${listening.port}`;
  answer = getRequestListener(operatorsApp(services, { origin }).fetch, { overrideGlobalObjects: false });
  return { origin, close: () => listening.close() };
}
