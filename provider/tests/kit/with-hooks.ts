import { createApp } from '#provider/operation/app.ts';
import type { Hooks } from '#provider/project/settings/hooks.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Provider } from './harness.ts';

/** The provider with hooks, on the same database. */
export function withHooks(provider: Provider, hooks: Partial<Hooks>, changes: Partial<Project> = {}): Provider {
  const project = { ...provider.services.project, ...changes, hooks: { sign_up: null, login: null, ...hooks } };
  const services = { ...provider.services, project };
  const app = createApp(services);
  const call: Provider['call'] = (method, path, body, extras) => provider.call(method, path, body, { ...extras, app });
  const post: Provider['post'] = (path, body, extras) => call('POST', path, body, extras);
  const own = { app, services, call, post };
  return new Proxy(provider, {
    get: (target, name, receiver) => Reflect.get(name in own ? own : target, name, receiver) as unknown,
  });
}
