import { TABLES } from '#provider/operation/retention/bounds.ts';
import type { AppOptions } from '#provider/operation/app.ts';
import { Control } from '#provider/dev/control/control.ts';
import { createDevApp } from '#provider/operation/app.ts';
import { DevClock } from '#provider/dev/control/dev-clock.ts';
import { endLater } from '#provider/dev/control/end-later.ts';
import { ProjectSwitch } from '#provider/dev/control/project-switch.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { makeProvider, WITHOUT_PKCE, type Fields } from './harness.ts';

/** A developer's server, with `/dev/control`. @param json the project file */
export const controlledApp = (json: object) => (services: AppOptions) => {
  const clock = new DevClock(services.clock, undefined, (latest) => endLater(services.db, latest));
  const project = new ProjectSwitch(services.project, (settings) =>
    projectFrom({ ...WITHOUT_PKCE, ...json, ...settings }),
  );
  const control = new Control({ clock, random: services.random, project, tables: TABLES });
  return createDevApp({ ...services, clock, control }, () => undefined);
};

export type ControlledProvider = Awaited<ReturnType<typeof makeControlled>>;

export async function makeControlled(databaseUrl?: string, options: Partial<AppOptions> = {}, json: object = {}) {
  const given = { project: projectFrom({ ...WITHOUT_PKCE, ...json }), ...options };
  const provider = await makeProvider(databaseUrl, given, controlledApp(json));
  async function control(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const reply = await provider.app.request(`/dev/control${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Fields };
  }
  return { ...provider, control };
}
