import { describe, expect, it } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { folderWith } from './folder.ts';

const IMPORT = "import type { Services } from '../services.ts';\n";
const check = (text: string, file = 'accounts/users/one.ts') =>
  GATES.services.check(folderWith({ [`provider/src/${file}`]: text }));

describe('the gate of services', () => {
  it.each([
    ['a function', 'export async function find(services: Services, id: string) {}'],
    ['a function that names those it reads', 'export function find({ db }: Services) {}'],
    ['an arrow function', 'export const find = (services: Services) => services;'],
    ['a method', 'export const routes = { find(services: Services) {} };'],
    ['a constructor', 'export class Finder { constructor(private readonly services: Services) {} }'],
    ['a field', 'export class Finder { private services: Services | undefined; }'],
    ['a default', 'export function find(services: Services = all) {}'],
    ['a name for more than all', 'type FindServices = Services & { readonly captcha?: string };'],
  ])('names %s', async (_, text) => {
    expect(await check(IMPORT + text)).toMatchObject({
      ok: false,
      output: 'provider/src/accounts/users/one.ts:2 takes all services: name those that it uses',
    });
  });

  it('names those that a file imports by another name', async () => {
    const text = "import type { Services as All } from '../services.ts';\nexport function find(services: All) {}";
    expect(await check(text)).toMatchObject({ ok: false });
  });

  it('accepts a part of the services, a part with a name, and types of that name from elsewhere', async () => {
    const parts = ["Pick<Services, 'db' | 'clock'>", 'LoginServices', "LoginServices & Pick<Services, 'inbox'>"];
    for (const part of parts) {
      expect(await check(`${IMPORT}export function find(services: ${part}) {}`)).toMatchObject({ ok: true });
    }
    const other = "import type { Services } from './vendor.ts';\nexport function find(services: Services) {}";
    expect(await check(other)).toMatchObject({ ok: true });
  });

  it('accepts all services where routes are mounted, and no such file without them', async () => {
    const mounts = 'api/endpoints.ts';
    const text = "import type { Services } from './services.ts';\nexport function mount(services: Services) {}";
    expect(await check(text, mounts)).toMatchObject({ ok: true });
    expect(await check('export function mount(services: string) {}', mounts)).toMatchObject({
      ok: false,
      output: `provider/src/${mounts}:1 takes no whole Services: remove it from the list of the gate`,
    });
  });

  it('fails where it finds no function at all', async () => {
    expect(await check('')).toMatchObject({ ok: false });
  });
});
