import { createApp } from '#provider/operation/app.ts';
import type { Limits } from '#provider/project/settings/limits.ts';
import type { Project } from '#provider/project/settings/project.ts';
import type { Provider } from './harness.ts';

/** The same provider with other settings, on the same data. */
export function withProject(provider: Provider, changes: Partial<Project>, bounds: Partial<Limits> = {}): Provider {
  const { project, limits } = provider.services;
  const services = { ...provider.services, project: { ...project, ...changes }, limits: { ...limits, ...bounds } };
  const app = createApp(services);
  const call: Provider['call'] = (method, path, body, extras) => provider.call(method, path, body, { ...extras, app });
  const post: Provider['post'] = (path, body, extras) => call('POST', path, body, extras);
  const own = { app, services, call, post };
  return new Proxy(provider, { get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown });
}
