import { Hono } from 'hono';
import type { AppEnv } from '#provider/base/http/environment.ts';
import { DEFAULT_LIMITS } from '#provider/project/settings/limits.ts';
import type { Services } from '#provider/api/services.ts';
import type { ProjectSwitch } from './project-switch.ts';

/**
 * An app whose project can be switched. Everything that serves a project treats it as constant, so another project is another app. Requests
 * in progress end with the old one.
 */
export function switchedApp<Given extends Pick<Services, 'project' | 'limits'>>(
  services: Given,
  projects: Pick<ProjectSwitch, 'onSwitch'>,
  make: (base: Given) => Hono<AppEnv>,
): Hono<AppEnv> {
  let current = make(services);
  projects.onSwitch((project) => {
    current = make({ ...services, project, limits: { ...DEFAULT_LIMITS, ...project.limits } });
  });
  const app = new Hono<AppEnv>();
  app.all('*', ({ req, env }) => current.fetch(req.raw, env));
  return app;
}
