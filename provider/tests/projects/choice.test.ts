import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Directory } from '#provider/operation/projects/directory.ts';
import { readFolder } from '#provider/operation/projects/folder.ts';
import { basic } from '../kit/harness.ts';
import { askAt, closeRouters, sendBytes, smallRouter } from '../kit/small-router.ts';
import { soakIt } from '#tests/soak-tests.ts';

type Router = Awaited<ReturnType<typeof smallRouter>>;
let router: Router;

beforeAll(async () => {
  router = await smallRouter();
});
afterAll(closeRouters);

const projectOf = async (host: string, path: string, headers = {}): Promise<string> =>
  (await askAt(router.url, host, path, { headers })).json().project;

describe('the project of a request', () => {
  it('is that of its host, with any port and in any case', async () => {
    for (const host of ['shop.example', 'SHOP.example:8443']) expect(await projectOf(host, '/')).toBe('shop');
    expect(await projectOf('blog.example', '/')).toBe('blog');
  });

  it('is that of its host also where it names another one by a token', async () => {
    const path = '/sdk/v1/projects/bootstrap/public-token-test-blog?public_token=public-token-test-blog';
    expect(await projectOf('shop.example', path, { authorization: basic('public-token-test-blog', 'x') })).toBe('shop');
  });

  it.each([
    ['Authorization: Basic with the public token', '/', { authorization: basic('public-token-test-blog', 'x') }],
    ['Authorization: Basic with the project id', '/v1/users', { authorization: basic('project-test-blog', 'secret') }],
    ['the query', '/v1/public/oauth/google/start?x=1&public_token=public-token-test-blog', {}],
    ['the path', '/sdk/v1/projects/bootstrap/public-token-test-blog', {}],
    ['the project id in the path', '/v1/public/project-test-blog/oauth2/token?a', {}],
  ])('is named by %s at a host of none', async (_, path, headers) => {
    expect(await projectOf('localhost', path, headers)).toBe('blog');
  });

  it.each([
    ['nothing', '/', {}],
    ['an unknown token', '/', { authorization: basic('public-token-test-news', 'x') }],
    ['a token with another scheme', '/', { authorization: 'Bearer public-token-test-shop' }],
    ['a part of a token', '/public-token-test-sho', {}],
  ])('is none with %s at a host of none, which is refused without a word about others', async (_, path, headers) => {
    const { status, text } = await askAt(router.url, 'localhost', path, { headers });
    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual({
      status_code: 404,
      request_id: expect.stringMatching(/^request-id-/u),
      error_type: 'project_not_found',
      error_message: expect.stringContaining('the host of the issuer of a project'),
      error_url: 'http://localhost/errors/project_not_found',
    });
    expect(text).not.toMatch(/shop|blog/u);
  });

  it.each([
    ['no host', ''],
    ['two hosts', 'Host: shop.example\r\nHost: blog.example\r\n'],
    ['a host with a user', 'Host: shop.example@blog.example\r\n'],
    ['a list of hosts', 'Host: shop.example, blog.example\r\n'],
  ])('is none with %s', async (_, fields) => {
    expect(await raw(`GET / HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /u);
  });

  it('is none where the request line names another host than the field', async () => {
    const line = 'GET http://shop.example/ HTTP/1.1\r\nConnection: close\r\n';
    expect(await raw(`${line}Host: blog.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 421 /u);
    expect(await raw(`${line}Host: shop.example\r\n\r\n`)).toContain('"project":"shop"');
  });
});

const raw = (bytes: string): Promise<string> => sendBytes(router.port, bytes);

describe('the folders of a router', () => {
  it('cannot have the same host, public token or project id: the error names both files', async () => {
    const same = (fields: object) => () => smallRouterWith({ ...fields });
    await expect(same({ issuer: 'https://SHOP.example:444' })()).rejects.toThrow(
      /shop\/portico\.jsonc and .*two\/portico\.jsonc have the same host in issuer: shop\.example/u,
    );
    for (const fields of [{ public_token: 'public-token-test-shop' }, { project_id: 'project-test-shop' }]) {
      await expect(same(fields)()).rejects.toThrow(
        /shop\/portico\.jsonc and .*two\/portico\.jsonc have the same public_token or project_id/u,
      );
    }
  });

  it.each([
    ['a URL', 'postgres://shop:a@db.example/main', 'postgres://news:b@DB.example:5432/main?sslmode=require', true],
    ['several hosts', 'postgres://a,b/main', 'postgres://a,b/main', true],
    ['another name', 'postgres://db.example/main', 'postgres://db.example/other', false],
    ['another schema', 'postgres://db.example/main', 'postgres://db.example/main?options=-csearch_path%3Dtwo', false],
  ])('cannot have the same database, by %s', async (_, shop, news, isRefused) => {
    const own = await smallRouter({ projects: ['shop', 'news'] });
    const at = (name: string, file: string): string => join(own.root, name, file);
    writeFileSync(at('shop', 'portico.env'), `PORTICO_DATABASE_URL=${shop}`);
    writeFileSync(at('news', 'url'), `${news}\n`);
    writeFileSync(at('news', 'portico.env'), 'PORTICO_DATABASE_URL_FILE=url');
    const folders = ['shop', 'news'].map((name) => readFolder(own.root, name, JSON.parse));
    const both = (): unknown => new Directory(folders);
    if (isRefused) expect(both).toThrow(/shop\/portico\.jsonc and .*news\/portico\.jsonc have the same database/u);
    else expect(both).not.toThrow();
  });

  it('cannot have the same data folder, also by a link', async () => {
    const own = await smallRouter({ projects: ['shop', 'news'] });
    mkdirSync(join(own.root, 'shop', 'data'));
    symlinkSync(join(own.root, 'shop', 'data'), join(own.root, 'news', 'data'));
    const folders = ['shop', 'news'].map((name) => readFolder(own.root, name, JSON.parse));
    expect(() => new Directory(folders)).toThrow(/have the same database/u);
  });

  soakIt('are taken up and left on a reload, each wholly or not at all', async () => {
    const own = await smallRouter({ projects: ['shop', 'blog', 'old'], keep: ['news'] });
    expect(own.said('news')).toEqual(['a project to keep is not there']);
    await Promise.all([own.ask('shop'), own.ask('blog'), own.ask('old')]);
    own.make('news');
    own.make('thief', { public_token: 'public-token-test-blog' });
    own.make('blog', { issuer: 'https://journal.example' });
    mkdirSync(join(own.root, 'broken'));
    writeFileSync(join(own.root, 'broken', 'portico.jsonc'), '{');
    writeFileSync(join(own.root, 'shop', 'portico.jsonc'), '{');
    own.forget('old');
    own.fleet.reload();
    // One that is to be kept needs no request.
    await vi.waitFor(() => expect(own.starts('news')).toHaveLength(1));
    // A wrong file leaves its project as it was.
    expect((await own.ask('shop')).json().pid).toBe(Number(own.starts('shop')[0]));
    expect((await own.ask('news')).json().project).toBe('news');
    expect((await own.ask('journal')).json().project).toBe('blog');
    expect(own.starts('blog')).toHaveLength(2);
    for (const gone of ['old', 'blog', 'thief', 'broken']) expect((await own.ask(gone)).status).toBe(404);
    for (const wrong of ['thief', 'broken', 'shop']) expect(own.said(wrong)).toContain('a project cannot be used');
    const { reason } = own.logged.find(({ project, message }) => project === 'thief' && message !== undefined) ?? {};
    expect(reason).toMatch(/blog\/portico\.jsonc and .*thief\/portico\.jsonc have the same public_token/u);
  });

  soakIt('are named where another one has taken their host on a reload, and their own change is wrong', async () => {
    const own = await smallRouter({ projects: ['blog', 'old', 'shop'] });
    own.make('blog', { issuer: 'https://shop.example' });
    own.make('shop', { issuer: 'https://old.example' });
    own.fleet.reload();
    expect((await own.ask('shop')).json().project).toBe('blog');
    expect((await own.ask('old')).json().project).toBe('old');
    expect(own.said('shop')).toEqual(['a project cannot be used', 'a project is not served any more']);
  });

  it('stay as they were where their variables are such that no process can be started with them', async () => {
    const own = await smallRouter({ projects: ['shop'] });
    writeFileSync(join(own.root, 'shop', 'portico.env'), 'A=x\0y\n');
    own.fleet.reload();
    expect(own.said('shop')).toEqual(['a project cannot be used']);
    expect((await own.ask('shop')).status).toBe(200);
  });

  soakIt('tell running servers to read their files again, unless they must start again', async () => {
    const own = await smallRouter({ projects: ['shop'] });
    await own.ask('shop');
    own.make('shop', { name: 'Another name' });
    own.fleet.reload();
    await expect.poll(() => own.said('shop')).toContain('{"message":"read again"}');
    expect(own.starts('shop')).toHaveLength(1);
    writeFileSync(join(own.root, 'shop', 'portico.env'), 'PORTICO_SMTP_URL=smtp://mail.example\n');
    own.fleet.reload();
    expect((await own.ask('shop')).status).toBe(200);
    expect(own.starts('shop')).toHaveLength(2);
  });

  soakIt(
    'that change on a reload lose no request: neither one that waits for the server, nor one that still arrives',
    async () => {
      const own = await smallRouter({ projects: ['shop', 'blog'] });
      writeFileSync(join(own.root, 'shop', 'hang'), '');
      const waiting = own.ask('shop');
      const arriving = connect(own.port, '127.0.0.1');
      arriving.write('POST / HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\nContent-Length: 8\r\n\r\nhalf');
      let answer = '';
      arriving.on('data', (part) => (answer += String(part)));
      // All have come when a whole one after them is answered.
      await own.ask('blog');
      rmSync(join(own.root, 'shop', 'hang'));
      writeFileSync(join(own.root, 'shop', 'portico.env'), 'PORTICO_SMTP_URL=smtp://mail.example\n');
      own.fleet.reload();
      arriving.write('half');
      await once(arriving, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
      expect((await waiting).status).toBe(200);
    },
  );

  soakIt(
    'start again where the file with the address of the database has another one, and cannot have that of another project',
    async () => {
      const own = await smallRouter({ projects: ['shop', 'news'] });
      const setUrl = (name: string): void =>
        writeFileSync(join(own.root, 'shop', 'url'), `postgres://portico:secret@db/${name}\n`);
      setUrl('shop');
      writeFileSync(join(own.root, 'shop', 'portico.env'), 'PORTICO_DATABASE_URL_FILE=url\n');
      writeFileSync(join(own.root, 'news', 'portico.env'), 'PORTICO_DATABASE_URL=postgres://portico:secret@db/news\n');
      own.fleet.reload();
      await own.ask('shop');
      setUrl('news');
      own.fleet.reload();
      expect(own.logged).toContainEqual(
        expect.objectContaining({ project: 'shop', reason: expect.stringContaining('have the same database') }),
      );
      setUrl('other');
      own.fleet.reload();
      await own.ask('shop');
      expect(own.starts('shop')).toHaveLength(2);
    },
  );
});

/** A router with a second project that has some of the first one's names. */
async function smallRouterWith(fields: object): Promise<unknown> {
  return smallRouter({ projects: ['shop', 'two'], fields: { two: fields } });
}
