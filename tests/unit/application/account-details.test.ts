import { describe, expect, it } from 'vitest';
import type { ProfileRules } from '#server-rules/profile.ts';
import { profile, projects } from '#application/api/index.ts';
import type { AccountPage } from '#domain/account/account.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import { errorReply } from '#kit/transport/fake-reply.ts';
import { open } from './account-world.ts';
import { TestWorld } from './world.ts';

const TERMS = { terms_id: 'tos', version: '2', title: 'Terms', url: 'https://acme.example/terms' };
const ROLES = ['Developer', 'Designer'].map((value) => ({ value, label: value }));
const RULES: ProfileRules = {
  fields: [
    { field: 'first_name', label: null, required: true, options: null },
    { field: 'role', label: 'Role', required: false, options: ROLES },
  ],
  terms: [TERMS],
  url: 'http://localhost:3000/',
};

/** The page of somebody who signed in before the project asked for anything. */
async function openDetails({ asks = true } = {}) {
  const world = new TestWorld();
  await world.signIn(world.open().client);
  if (asks) world.server.settings.profile = RULES;
  return {
    opened: () => open({ world, isSignedIn: false }),
    world,
    loads: () => world.transport.requestsTo(profile.get).length,
  };
}

/** The page, once its details are loaded. */
async function openLoaded() {
  const { opened, ...rest } = await openDetails();
  const page = await opened();
  await page.until(() => page.page().details.status === 'known');
  return { ...page, ...rest };
}
const detailsOf = ({ details }: AccountPage): Profile | undefined =>
  details.status === 'known' ? details.items[0] : undefined;
const valuesOf = (page: AccountPage) => detailsOf(page)?.fields.map(({ value }) => value);

describe('The details on the account page', () => {
  it('are what the project asks for, which the page learns from its settings', async () => {
    const { opened, loads, world } = await openDetails();
    const settings = world.transport.hold(projects.bootstrap);
    const { page, until } = await opened();
    await until(() => page().sessions.status === 'known');
    expect([page().details.status, loads()]).toEqual(['loading', 0]);
    settings.release();
    await until(() => page().details.status === 'known');
    expect(detailsOf(page())).toMatchObject({ fields: [{ field: 'first_name' }, { field: 'role' }], terms: [TERMS] });
    expect(loads()).toBe(1);
  });

  it('need no request in a project that asks for nothing', async () => {
    const { opened, loads } = await openDetails({ asks: false });
    const { page, until } = await opened();
    await until(() => page().details.status !== 'loading' && page().sessions.status !== 'loading');
    expect([page().details, loads()]).toEqual([{ status: 'known', items: [] }, 0]);
  });

  it('are none where the server has no such call, or asks for nothing any more', async () => {
    const { opened, world } = await openDetails();
    world.transport.answer(profile.get, () => errorReply(404, 'route_not_found'));
    const { page, until, store, errors } = await opened();
    await until(() => page().details.status === 'absent');
    world.transport.answer(profile.get, () => ({ profile: null }));
    store.send({ type: 'account/retried' });
    await until(() => page().details.status === 'known');
    expect([detailsOf(page()), errors]).toEqual([undefined, []]);
  });

  it('are saved, and show at once with the new name', async () => {
    const { ask, page, heard, loads } = await openLoaded();
    await ask({ kind: 'details', fields: { first_name: 'Ada', role: 'Designer' } });
    expect(page()).toMatchObject({ at: 'resting', task: null, error: null, news: { what: 'detailsChanged' } });
    expect(valuesOf(page())).toEqual(['Ada', 'Designer']);
    expect(page().user.name.first_name).toBe('Ada');
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'detailsChanged' } }]);
    expect(loads()).toBe(1);
  });

  it('keep their form when the server refuses a value, and show what the project asks for by now', async () => {
    const { ask, page, store, world, until, errors, heard } = await openLoaded();
    world.server.settings.profile = { ...RULES, fields: RULES.fields.slice(0, 1) };
    store.send({ type: 'account/opened', task: { kind: 'details' } });
    await ask({ kind: 'details', fields: { first_name: 'Ada', role: 'Designer' } });
    expect(page()).toMatchObject({
      task: { kind: 'details' },
      error: { error_type: 'invalid_profile' },
      failed: { kind: 'details' },
    });
    expect([errors.length, heard]).toEqual([1, []]);
    await until(() => detailsOf(page())?.fields.length === 1);
    expect(page().error).toMatchObject({ error_type: 'invalid_profile' });
  });

  it('include terms, which are accepted in the version that is shown', async () => {
    const { ask, page, world, until, heard } = await openLoaded();
    world.server.settings.profile = { ...RULES, terms: [{ ...TERMS, version: '3' }] };
    await ask({ kind: 'acceptTerms', id: 'tos', version: '2' });
    expect(page()).toMatchObject({
      error: { error_type: 'invalid_profile' },
      failed: { kind: 'acceptTerms', id: 'tos', version: '2' },
    });
    await until(() => detailsOf(page())?.terms[0]?.version === '3');
    await ask({ kind: 'acceptTerms', id: 'tos', version: '3' });
    expect(detailsOf(page())?.terms).toMatchObject([{ version: '3', accepted_at: expect.any(String) }]);
    expect(page().news?.what).toBe('termsAccepted');
    expect(heard).toEqual([{ type: 'ACCOUNT_CHANGED', data: { change: 'termsAccepted' } }]);
  });
});
