import { describe, expect, it } from 'vitest';
import { OPERATOR_COMMANDS, perform } from '#provider/operation/operators/commands.ts';
import type { OperatorCommand } from '#provider/operation/operators/desk/command.ts';
import { inviteOperator } from '#provider/operation/operators/desk/operator-store.ts';
import { PAGE_ROLES, ROLE_NAMES, type Role } from '#provider/operation/operators/desk/roles.ts';
import { EITHER_DATABASE, MINUTE, type Fields } from '../kit/harness.ts';
import { BY } from '../kit/operators-browser.ts';
import { pageSteps } from './page-steps.ts';

/** A path below `/operators`, as the table of pages or of commands has it. */
interface Place {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly roles: readonly Role[];
}

const COMMANDS = Object.values<OperatorCommand>(OPERATOR_COMMANDS);
const PLACES: readonly Place[] = [
  ...Object.entries(PAGE_ROLES).map(([path, roles]) => ({ method: 'GET', path, roles }) as const),
  ...COMMANDS.flatMap(({ forms = [], download, roles }): readonly Place[] => [
    ...forms.map(({ page, act }) => ({ method: 'POST', path: act === undefined ? page : `${page}/${act}`, roles }) as const), // prettier-ignore
    ...(download === undefined ? [] : [{ method: 'GET', path: `${download.page}/${download.act}`, roles } as const]),
  ]),
  { method: 'POST', path: 'import', roles: PAGE_ROLES.import },
];
/** What is reached without a role. */
const ENTRY = /^\/(?:\*|operators(?:\/(?:page\.\w+|entered\.js|(?:login|enrol)(?:\.js|\/\w+)?|logout))?)?$/u;

describe('the table of roles', () => {
  it('gives a role to each command of the page, and none to a command that only the command line has', () => {
    for (const [name, { roles, page, forms, download }] of Object.entries<OperatorCommand>(OPERATOR_COMMANDS)) {
      const isOnPage = page !== undefined || forms !== undefined || download !== undefined;
      expect([name, roles.length > 0]).toEqual([name, isOnPage]);
    }
  });

  it('lets readers and auditors run nothing that writes, and support nothing outside of users, sessions and messages', () => {
    const writes = Object.entries<OperatorCommand>(OPERATOR_COMMANDS).filter(([, { reads }]) => !reads);
    expect(writes.filter(([, { roles }]) => roles.includes('reader') || roles.includes('auditor'))).toEqual([]);
    const helps = Object.entries<OperatorCommand>(OPERATOR_COMMANDS).filter(([, { roles }]) =>
      roles.includes('support'),
    );
    expect(helps.map(([name]) => name).filter((name) => !/^(?:users|sessions|outbox) /u.test(name))).toEqual([]);
    const audits = Object.entries<OperatorCommand>(OPERATOR_COMMANDS).filter(([, { roles }]) =>
      roles.includes('auditor'),
    );
    expect(audits.map(([name]) => name)).toEqual(['audit list', 'audit export']);
  });
});

describe.each(EITHER_DATABASE)("the roles at the operators' page, on %s", (_, database) => {
  const world = pageSteps(database);
  const { get, post, ask, enrolled } = world;
  const cookieOf = async (role: Role, name = `One ${role}`): Promise<string> => (await enrolled(name, role)).cookie;

  it('has no other way in than the tables', () => {
    const known = new Set(PLACES.map(({ method, path }) => `${method} /operators/${path}`));
    const routes = world.app.routes.filter(({ path }) => !ENTRY.test(path));
    expect(routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !known.has(route))).toEqual([]);
    expect(routes.length).toBeGreaterThan(30);
  });

  it.each(ROLE_NAMES)('answers %s where the tables say so, and refuses everything else', async (role) => {
    const cookie = await cookieOf(role);
    for (const { method, path, roles } of PLACES) {
      const { status, text } = await ask(method, path.replace(/:\w+/u, 'x'), { cookie, ...(method === 'POST' ? { form: {} } : {}) }); // prettier-ignore
      const isAllowed = roles.includes(role);
      expect([method, path, status !== 403]).toEqual([method, path, isAllowed]);
      if (isAllowed) continue;
      const needs = `Your role is ${role}, and this needs the role ${roles.join(' or ')}.`;
      expect([path, text.includes(needs), text.includes('href="/operators/"')]).toEqual([path, true, true]);
    }
  });

  it.each(ROLE_NAMES)('shows %s no link and no form that would be refused', async (role) => {
    const admin = await cookieOf('admin', 'Maker');
    const made = await post('clients', admin, { client_name: 'Shop', client_type: 'first_party', redirect_urls: 'https://shop.example/cb' }); // prettier-ignore
    const client = /connected-app-test-[\w-]+/u.exec(made.text)?.[0] ?? '';
    await world.provider.services.db.updateTable('outbox').set({ state: 'dead' }).execute();
    const cookie = await cookieOf(role);
    const place = (method: string, url: string): Place | undefined => {
      const path = new URL(url, 'https://ops.example.com').pathname.replace('/operators/', '');
      return PLACES.find((each) => each.method === method && new RegExp(`^${each.path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u').test(path)); // prettier-ignore
    };
    const pages = [...Object.keys(PAGE_ROLES).filter((path) => !path.includes(':')), `users/${world.user_id}`, `clients/${client}`]; // prettier-ignore
    let seen = 0;
    for (const page of pages) {
      const { status, text } = await get(page, cookie);
      if (status === 403) continue;
      seen += 1;
      const links = [...text.matchAll(/href="(\/operators\/(?!page\.css)[^"]*)"/gu)].map(([, url = '']) =>
        place('GET', url),
      );
      const forms = [...text.matchAll(/method="(get|post)" action="(\/operators\/(?!logout)[^"]*)"/gu)];
      const places = [...links, ...forms.map(([, method = '', url = '']) => place(method.toUpperCase(), url))];
      expect(places.length).toBeGreaterThan(0);
      for (const each of places)
        expect([page, each?.path, each?.roles]).toEqual([page, each?.path, expect.arrayContaining([role])]);
    }
    expect(seen).toBe(pages.filter((page) => place('GET', `/operators/${page}`)?.roles.includes(role)).length);
  });

  it('shows support users, sessions and messages, and neither keys nor the project', async () => {
    const { db, project } = world.provider.services;
    const cookie = await cookieOf('support');
    expect((await get('', cookie)).location).toBe('/operators/users');
    const at = `users/${world.user_id}`;
    const exported = await post(`${at}/export`, cookie);
    expect((JSON.parse(exported.text) as Fields)['user_id']).toBe(world.user_id);
    const texts = [exported.text, ...(await Promise.all(['users', at, 'outbox'].map(async (page) => (await get(page, cookie)).text)))]; // prettier-ignore
    const keys = await db.selectFrom('signing_keys').select('kid').execute();
    expect(keys.length).toBeGreaterThan(0);
    const hidden = [project.project_id, project.public_token, ...keys.map(({ kid }) => kid)];
    expect(hidden.filter((each) => texts.some((text) => text.includes(each)))).toEqual([]);
    expect((await post(`${at}/lock`, cookie)).status).toBe(303);
    expect((await post(`${at}/unlock`, cookie)).status).toBe(303);
    expect((await post(`${at}/delete`, cookie, { confirm: 'ada@example.com' })).status).toBe(403);
  });

  it('gives an auditor the log and its export, from the oldest row or after a number', async () => {
    const cookie = await cookieOf('auditor');
    expect((await get('', cookie)).location).toBe('/operators/audit');
    expect((await get('audit', cookie)).text).toContain(world.user_id);
    world.provider.clock.time += MINUTE;
    const { rows } = await perform(world.provider.services, 'audit.export', {});
    const whole = await get('audit/export', cookie);
    expect(whole.headers.get('content-type')).toBe('application/jsonl');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="audit.jsonl"');
    const lines = whole.text.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line) as Fields)).toEqual(JSON.parse(JSON.stringify(rows)));
    const [{ metadata }] = rows as [{ readonly metadata: { readonly sequence: number } }];
    expect((await get(`audit/export?after=${metadata.sequence}`, cookie)).text.split('\n')).toHaveLength(lines.length);
    expect((await get('audit/export?after=', cookie)).text).toBe(whole.text);
    expect((await get('audit/export?after=x', cookie)).status).toBe(400);
    expect((await get('audit/export', '')).location).toBe('/operators/login');
  });

  it('changes a role at once, and knows no other', async () => {
    const { services } = world.provider;
    const cookie = await cookieOf('admin', 'Mary');
    expect((await get('keys', cookie)).status).toBe(200);
    await perform(services, 'operators.invite', { name: 'Mary', role: 'auditor', origin: 'https://ops.example.com' });
    expect([(await get('keys', cookie)).status, (await get('audit', cookie)).status]).toEqual([403, 200]);
    const boss = { name: 'Mary', role: 'boss', origin: 'https://ops.example.com' };
    await expect(perform(services, 'operators.invite', boss)).rejects.toThrow('role must be one of admin, reader, support, auditor.'); // prettier-ignore
    const invited = inviteOperator(services, { ...boss, role: boss.role as Role }, BY);
    await expect(invited).rejects.toThrow(/operators_role_check/u);
  });
});
