import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { wireCore, type ClientSettings } from '#composition/core.ts';
import { containerOf } from '#composition/lazy/wire-lazy.ts';
import { TestWorld } from '../application/world.ts';

/** These are no part of the graph that the container resolves. */
const OUTSIDE: Readonly<Record<string, string>> = {
  SessionWatch: 'is constructed by the page’s start, and no class of the container depends on it',
  SessionLifecycle: 'is constructed with the code of a session, which loads without the container',
  SessionRefresher: 'is constructed with the code of a session, which loads without the container',
  UserAccount: 'is constructed by the page’s start, and no class of the container depends on it',
  AccessControl: 'is constructed by the page’s start, and no class of the container depends on it',
  EarlierCookies: 'is constructed with the code of a session, which loads without the container',
  RefreshRecord: 'is a part of SessionRefresher',
  SessionCookies: 'is a part of SessionStore',
  SharedCalls: 'is a part of each of its users: one call passes several, and would wait for itself in a common one',
  ProjectUpkeep: 'runs from the page’s start, and nothing depends on it',
  EventLog: 'is constructed for every page, before its container',
  LoginBinding: 'is loaded by the page’s start, in projects that require two factors',
  AuthorizationFlow: 'is constructed for each request of an app',
};

type Class = abstract new (...args: never[]) => unknown;

/** Every class that the application layer exports for a client without a widget. */
async function classes(): Promise<readonly Class[]> {
  const folders = ['session', 'telemetry', 'use-cases', 'wire'].map((name) => join(ROOT, 'src/application', name));
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const modules = await Promise.all(files.map(async (file) => (await import(file)) as Record<string, unknown>));
  return modules.flatMap((exports) =>
    Object.values(exports).filter((one): one is Class => /^class\s/u.test(String(one))),
  );
}

function newContainer(): Container {
  const ports = new TestWorld().tab('http://localhost:3000/');
  const settings: ClientSettings = {
    publicToken: 'public-token-test-1',
    origin: 'https://api.example.com',
    cookieOptions: {},
    endpointOptions: {},
    telemetry: true,
    ports,
    own: ports,
    onFailure: () => undefined,
    window: null,
  };
  const core = wireCore(settings, {
    events: null,
    late: () => Promise.reject(new Error('Nothing is loaded here.')),
  });
  return containerOf(core, ports, settings);
}

describe('the container of a client', () => {
  it('resolves every class of the application layer, one instance of each', async () => {
    const container = newContainer();
    const all = await classes();
    expect(all.length).toBeGreaterThan(25);
    const unbound = all.filter((one) => !container.isBound(one)).map(({ name }) => name);
    expect(unbound.sort()).toEqual(Object.keys(OUTSIDE).sort());
    for (const one of all.filter((bound) => container.isBound(bound))) {
      expect(container.get(one)).toBeInstanceOf(one);
      expect(container.get(one)).toBe(container.get(one));
    }
  });

  it('shares no instance with the container of another client', async () => {
    const [one, other] = [newContainer(), newContainer()];
    for (const shared of (await classes()).filter((bound) => one.isBound(bound))) {
      expect([shared.name, one.get(shared) === other.get(shared)]).toEqual([shared.name, false]);
    }
  });
});
