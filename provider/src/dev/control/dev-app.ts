import { Hono } from 'hono';
import { createApp, type AppOptions } from '../../app.ts';
import { captchaOf } from '../../captcha/captcha.ts';
import type { AppEnv } from '../../http/environment.ts';
import { DEFAULT_LIMITS } from '../../project/limits.ts';
import type { Services } from '../../services.ts';
import type { Warn } from '../../warnings.ts';
import type { Control } from './control.ts';
import type { ProjectSwitch } from './project-switch.ts';

/** The server with its control. */
export function createDevApp(options: AppOptions & { readonly control: Control }, warn: Warn): Hono<AppEnv> {
  const { captcha: _, ...lasting } = options;
  return switchedApp(options, options.control.project, ({ project, limits }) => {
    if (project === options.project) return createApp(options);
    const captcha = captchaOf(project, warn);
    return createApp({ ...lasting, project, limits, ...(captcha === undefined ? {} : { captcha }) });
  });
}

/**
 * An app whose project is switched. A project is a constant to all that serves it, so another project is another app: requests that
 * are under way end with the old one.
 */
export function switchedApp<Given extends Pick<Services, 'project' | 'limits'>>(
  given: Given,
  projects: ProjectSwitch,
  make: (given: Given) => Hono<AppEnv>,
): Hono<AppEnv> {
  let current = make(given);
  projects.onSwitch((project) => {
    current = make({ ...given, project, limits: { ...DEFAULT_LIMITS, ...project.limits } });
  });
  const app = new Hono<AppEnv>();
  app.all('*', ({ req, env }) => current.fetch(req.raw, env));
  return app;
}
