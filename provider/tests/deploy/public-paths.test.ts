import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { createApp } from '#provider/operation/app.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';
import { privateExamples, publicExamples, publicPaths } from '../kit/public-paths.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const words = (text: string | undefined): readonly string[] => text?.trim().split(/\s+/u) ?? [];

/** How each file lists the public paths. */
const LISTS: Readonly<Record<string, () => readonly string[]>> = {
  'provider/deploy/nginx.conf': () => {
    const [, folders = '', single = ''] =
      /location ~ \^\/\(\?:\(\?:(.*?)\)\/\|(.*)\) \{/u.exec(read('provider/deploy/nginx.conf')) ?? [];
    const plain = (text: string): string => `/${text.replaceAll('\\.', '.')}`;
    return [
      ...folders.split('|').map((folder) => `${plain(folder)}/`),
      ...single.split('|').map((path) => plain(path.replace(/\$$/u, ''))),
    ];
  },
  'provider/deploy/haproxy.cfg': () => {
    const [, folders, single] =
      /unless \{ path_beg (.*?) \} \|\| \{ path (.*?) \}/u.exec(read('provider/deploy/haproxy.cfg')) ?? [];
    return [...words(folders), ...words(single)];
  },
  'provider/deploy/Caddyfile': () => {
    const [, paths] = /@public path (.*)/u.exec(read('provider/deploy/Caddyfile')) ?? [];
    return words(paths).map((path) => path.replace(/\*$/u, ''));
  },
  'docs/behind-a-proxy.md': () => {
    const [, paragraph = ''] =
      /^Forward these paths only:(.*?)All others/msu.exec(read('docs/behind-a-proxy.md')) ?? [];
    return [...paragraph.matchAll(/`(\/[^`]*)`/gu)].map(([, path = '']) => path);
  },
};

describe('the public paths', () => {
  let provider: Provider;
  let app: ReturnType<typeof createApp>;
  beforeAll(async () => {
    provider = await makeProvider(ANY_DATABASE);
    app = createApp({ ...provider.services, dev: false, loopback: false, adminSecret: 'x' });
  });
  afterAll(() => provider.close());

  it('are made from the routes, and contain every public one and no other', () => {
    const paths = publicPaths(app);
    expect(paths).toContain('/sdk/v1/');
    const isForwarded = (path: string): boolean =>
      paths.some((each) => (each.endsWith('/') ? path.startsWith(each) : path === each));
    expect(publicExamples(app).filter((path) => !isForwarded(path))).toEqual([]);
    expect(privateExamples(app).length).toBeGreaterThan(50);
    expect(privateExamples(app).filter(isForwarded)).toEqual([]);
  });

  it.each(Object.entries(LISTS))('%s lists them', (_, list) => {
    expect([...new Set(list())].sort()).toEqual(publicPaths(app));
  });
});
