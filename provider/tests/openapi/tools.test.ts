import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_SECRET } from '#provider/api/backend/credentials.ts';
import { outsideEnv } from '#scripts/lib/pack.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { bin, runNode } from '#scripts/lib/run.ts';
import description from '../../openapi.json?raw';
import { makeDescribedProvider } from '../kit/described.ts';
import { ANY_DATABASE, basic, PUBLIC_TOKEN } from '../kit/harness.ts';

const PACKAGES = join(ROOT, 'tests/openapi/node_modules');
/** The linter sends nothing and asks for no news. */
const env = { ...outsideEnv, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Calls as an app writes them, with the generated types. */
const CALLS = `import createClient from 'openapi-fetch';
import type { paths } from './portico.js';

type Send = (request: Request) => Promise<Response>;

const clientOf = (fetch: Send, authorization: string) =>
  createClient<paths>({ baseUrl: 'http://localhost:4100', fetch, headers: { authorization } });

export async function projectName(send: Send, authorization: string, publicToken: string): Promise<string> {
  const { data, error } = await clientOf(send, authorization).GET('/sdk/v1/projects/bootstrap/{publicToken}', {
    params: { path: { publicToken } },
  });
  if (data !== undefined) return data.data.project_name;
  return typeof error === 'object' && 'error_type' in error ? error.error_type : 'another error';
}

export async function newUser(send: Send, authorization: string, email: string): Promise<string | undefined> {
  const { data, error } = await clientOf(send, authorization).POST('/v1/users', { body: { email } });
  return data === undefined ? error.error_type : data.user.emails[0]?.email;
}

export async function mistakes(send: Send): Promise<void> {
  const client = clientOf(send, '');
  // @ts-expect-error a number is no address
  await client.POST('/v1/users', { body: { email: 1 } });
  // @ts-expect-error the call needs the id of the user
  await client.GET('/v1/users/{user_id}', {});
  const { data } = await client.GET('/v1/users/{user_id}', { params: { path: { user_id: 'user-1' } } });
  // @ts-expect-error a user has no such field
  void data?.shoe_size;
}
`;

const COMPILER = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

type Send = (request: Request) => Promise<Response>;

interface TypedCalls {
  projectName(send: Send, authorization: string, publicToken: string): Promise<string>;
  newUser(send: Send, authorization: string, email: string): Promise<string | undefined>;
}

describe('the OpenAPI description in the tools of others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-openapi-'));
  const run = async (script: string, ...args: readonly string[]): Promise<void> => {
    const { code, output } = await runNode([script, ...args], { cwd: folder, env });
    expect(code, output).toBe(0);
  };
  beforeAll(() => {
    writeFileSync(join(folder, 'openapi.json'), description);
    symlinkSync(PACKAGES, join(folder, 'node_modules'), 'junction');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has no errors for redocly lint', async () => {
    await run(join(PACKAGES, '@redocly/cli/bin/cli.js'), 'lint', 'openapi.json');
  });

  it('becomes types by openapi-typescript, with which calls compile, and answer as the types say', async () => {
    await run(join(PACKAGES, 'openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'portico.d.ts');
    writeFileSync(join(folder, 'calls.ts'), CALLS);
    const files = ['portico.d.ts', 'calls.ts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files }));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await run(bin('typescript/bin/tsc'), '-p', 'tsconfig.json');
    const calls = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'calls.js')).href)) as TypedCalls;
    const provider = await makeDescribedProvider(ANY_DATABASE);
    const { project_id, name } = provider.services.project;
    const send: Send = async (request) => provider.app.request(request);
    const page = basic(PUBLIC_TOKEN, PUBLIC_TOKEN);
    expect(await calls.projectName(send, page, PUBLIC_TOKEN)).toBe(name);
    expect(await calls.projectName(send, page, 'public-token-of-nobody')).toBe('invalid_public_token');
    const server = basic(project_id, DEV_SECRET);
    expect(await calls.newUser(send, server, 'ada@example.com')).toBe('ada@example.com');
    expect(await calls.newUser(send, server, 'ada@example.com')).toBe('duplicate_email');
    await provider.close();
  });
});
