import { Hono } from 'hono';
import { createApp, type AppOptions } from '../../app.ts';
import { captchaOf } from '../../captcha/captcha.ts';
import { DEFAULT_LIMITS } from '../../project/limits.ts';
import type { Warn } from '../../warnings.ts';
import type { AppEnv } from '../../http/environment.ts';
import type { Control } from './control.ts';

/**
 * The server with its control. Its project is a constant to all that serves it, so another project is another app: requests that
 * are under way end with the old one.
 */
export function createDevApp(options: AppOptions & { readonly control: Control }, warn: Warn): Hono<AppEnv> {
  const { captcha: _, ...lasting } = options;
  let current = createApp(options);
  options.control.project.onSwitch((project) => {
    const captcha = captchaOf(project, warn);
    current = createApp({
      ...lasting,
      project,
      limits: { ...DEFAULT_LIMITS, ...project.limits },
      ...(captcha === undefined ? {} : { captcha }),
    });
  });
  const app = new Hono<AppEnv>();
  app.all('*', ({ req, env }) => current.fetch(req.raw, env));
  return app;
}
