import { describe, expect, it } from 'vitest';
import { controlOf, type TimeSpan } from '../../../src/composition/control/provider-control.ts';
import { checkedTestSettings, type PorticoTestSettings } from '../../../src/composition/playwright/test-settings.ts';
import type { FakeSettings } from '../../../src/infrastructure/fake/fake-server.ts';
import { TestWorld } from '../application/world.ts';
import { eachMistakeHasAMessage, thrownBy, type Rows } from './option-rows.ts';

/** A setting cannot be left out of the fake server. */
type OptionalSettings = Partial<FakeSettings>;

const SETTINGS: Rows<OptionalSettings> = {
  origins: { wrongType: ['https://a.example', [7], undefined] },
  redirectUrls: { wrongType: ['https://a.example', [7], undefined] },
  defaultRedirectUrl: { wrongType: [7, null, undefined] },
  allowLoopback: { wrongType: ['true', null] },
  clients: { wrongType: [{}, ['app'], null] },
  roleAssignments: { wrongType: [{}, [{ email: 'a@b.example' }], [{ roles: ['a'] }], null] },
  trustedProfiles: { wrongType: ['a', [7], null] },
  breachedPasswords: { wrongType: ['a', [7], null] },
  sessionMaxMinutes: { wrongType: ['60', null], wrongUnit: [60 * 60_000, 0.5] },
  sessionAbsoluteMinutes: { wrongType: ['60', null], wrongUnit: [60 * 60_000, 0.5] },
  httpOnlySessions: { wrongType: ['true', null] },
  accountDeletion: { wrongType: ['true', null] },
  passkeySignUp: { wrongType: ['true', null] },
  linkMaxMinutes: { wrongType: ['30', null], wrongUnit: [30 * 60_000, 0.5] },
  mfa: { wrongType: ['required', []] },
};
eachMistakeHasAMessage('FakeServer.settings', SETTINGS, {
  good: {},
  path: 'settings.',
  messagesOf: (settings) => thrownBy(() => Object.assign(new TestWorld().server.settings, settings)),
});

const PLAYWRIGHT: Rows<PorticoTestSettings> = {
  apiUrl: { wrongType: [7, {}] },
  projectId: { wrongType: [7, {}] },
  secret: { wrongType: [7, {}] },
  cookieOptions: { wrongType: ['session', 7] },
};
eachMistakeHasAMessage('use.portico of Playwright', PLAYWRIGHT, {
  good: {},
  messagesOf: (settings) => thrownBy(() => checkedTestSettings(settings)),
});

describe('a role in a fixture', () => {
  it('that the policy does not have is refused', () => {
    const { server } = new TestWorld();
    const assign = (role: string) => () => {
      server.settings.roleAssignments = [{ email: 'ada@example.com', roles: [role] }];
    };
    expect(assign('editor')).not.toThrow();
    server.project['rbac_policy'] = { roles: [{ role_id: 'editor', permissions: [] }], resources: [], scopes: [] };
    expect(assign('editor')).not.toThrow();
    expect(assign('edtior')).toThrow('has the role "edtior", which project.rbac_policy does not have');
  });
});

describe('a span of time', () => {
  const UNITS: Record<keyof TimeSpan, true> = {
    milliseconds: true,
    seconds: true,
    minutes: true,
    hours: true,
    days: true,
  };

  it.each(Object.keys(UNITS))('in %s names a wrong unit and a wrong value', async (unit) => {
    const { clock } = controlOf('http://localhost:1');
    const singular = unit.slice(0, -1);
    await expect(clock.move({ [singular]: 5 })).rejects.toThrow(`${singular} is no option. Did you mean ${unit}?`);
    await expect(clock.move({ [unit]: '5' })).rejects.toThrow(`${unit} must be a number`);
    await expect(clock.move(5_000 as never)).rejects.toThrow('the span, such as { minutes: 5 }: must be an object');
  });
});
