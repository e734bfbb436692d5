import type { Hono } from 'hono';
import { CONTROL_PREFIX } from '#application/dev-control/dev-control.ts';
import { captchaOf } from '#provider/api/captcha/captcha.ts';
import { createApi, type ApiOptions } from '#provider/api/create-api.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import type { Warn } from '#provider/base/warnings.ts';
import type { Control } from '#provider/dev/control/control.ts';
import { adminHintRoutes } from '#provider/dev/admin-hint.ts';
import { controlRoutes } from '#provider/dev/control/control-routes.ts';
import { switchedApp } from '#provider/dev/control/switched-app.ts';
import { inboxRoutes } from '#provider/dev/inbox-routes.ts';
import { adminRoutes, settingsRoutes } from './admin/admin.ts';

export interface AppOptions extends Omit<ApiOptions, 'mounts' | 'devMounts' | 'control'> {
  /** The secret that the `admin` command presents. Without it there are no `/admin` routes. */
  readonly adminSecret?: string;
  /** The secret that `check --diff` presents. Without it, or without the secrets of the project, nobody reads the settings. */
  readonly settingsSecret?: string;
  /** The secrets in the project. */
  readonly projectSecrets?: ReadonlySet<string>;
  /** The state of `/dev/control`. Without `dev` it has no effect. */
  readonly control?: Control;
}

/** The whole server as a function from request to response: serve it, or call its `request` in-process. */
export function createApp(appOptions: AppOptions): Hono<AppEnv> {
  const { adminSecret, settingsSecret, projectSecrets, control, ...options } = appOptions;
  return createApi({
    ...options,
    ...(control === undefined ? {} : { control }),
    mounts: [
      (app, services) => {
        if (settingsSecret !== undefined && projectSecrets !== undefined)
          app.route('/admin', settingsRoutes(services, settingsSecret, projectSecrets));
        if (adminSecret !== undefined) app.route('/admin', adminRoutes(services, adminSecret));
      },
    ],
    devMounts: [
      (app, services) => {
        if (control !== undefined) app.route(CONTROL_PREFIX, controlRoutes(services, control));
        app.route('/dev', inboxRoutes(services));
        app.route('/', adminHintRoutes(services));
      },
    ],
  });
}

/** The server whose project `/dev/control` changes at run time. */
export function createDevApp(options: AppOptions & { readonly control: Control }, warn: Warn): Hono<AppEnv> {
  // Of a project that a test switches to, nobody noted the secrets.
  const { captcha: _, projectSecrets: _secrets, ...lasting } = options;
  return switchedApp(options, options.control.project, ({ project, limits }) => {
    if (project === options.project) return createApp(options);
    const captcha = captchaOf(project, warn);
    return createApp({ ...lasting, project, limits, ...(captcha === undefined ? {} : { captcha }) });
  });
}
