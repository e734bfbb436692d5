import { getRequestListener } from '@hono/node-server';
import { switchedApp } from '#provider/dev/control/switched-app.ts';
import type { ProjectSwitch } from '#provider/dev/control/project-switch.ts';
import { operatorsApp } from '../operators/app.ts';
import type { Services } from '#provider/api/services.ts';
import { listen } from './listen.ts';
import type { OperatorsOptions } from '../options/operators-options.ts';

export interface ServedOperators {
  readonly origin: string;
  /** Switches to these services, because the settings of the project file changed. */
  adopt(services: Services): void;
  close(): Promise<void>;
}

/**
 * Serves the operators' page on a separate listener: the public listener does not have it.
 *
 * @param projects the projects that a test switches to, with `--dev` only
 */
export async function serveOperators(
  services: Services,
  { host, port, origin: originOption }: OperatorsOptions,
  projects?: Pick<ProjectSwitch, 'onSwitch'>,
): Promise<ServedOperators> {
  let answer: ReturnType<typeof getRequestListener> | null = null;
  const listening = await listen((request, response) => void answer?.(request, response), host, port, {
    options: { host: 'operatorsHost', port: 'operatorsPort' },
  });
  const origin = originOption ?? `http://localhost:${listening.port}`;
  const make = (current: Services) => operatorsApp(current, { origin });
  let app = projects === undefined ? make(services) : switchedApp(services, projects, make);
  answer = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
  return {
    origin,
    adopt(changed) {
      app = make(changed);
    },
    close: () => listening.close(),
  };
}
