import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';
import { EITHER_DATABASE, type Fields } from '../kit/harness.ts';
import {
  askedIn,
  CALLBACK,
  challenge,
  ISSUER,
  makeApps,
  SECRET,
  SETTINGS,
  withSecret,
  type Apps,
} from '../kit/idp-harness.ts';
import { FILES, MAIL, resourceSteps, RESOURCES } from '../kit/resource-steps.ts';

const audienceOf = (body: Fields) => decodeJwt(body['access_token']).aud;
const INVALID = { status: 400, body: { error: 'invalid_target' } };

describe.each(EITHER_DATABASE)('the resource of a request (RFC 8707), on %s', (_, url) => {
  let apps: Apps;
  const { arrive, asked, allow, post, redeem, refresh } = resourceSteps(() => apps);
  beforeAll(async () => {
    const television = { ...SETTINGS.clients[0], client_id: 'television', device_authorization_allowed: true };
    apps = await makeApps(url, { resources: RESOURCES, clients: [...SETTINGS.clients, television] });
  });
  afterAll(() => apps.provider.close());

  it('is the audience of the tokens, at the authorization endpoint and where the request is pushed', async () => {
    const { body } = await redeem(await allow([FILES]));
    expect(audienceOf(body)).toBe(FILES);
    expect((await refresh(body['refresh_token'])).body).toMatchObject({ scope: 'openid write offline_access' });
    const request = { redirect_uri: CALLBACK, response_type: 'code', scope: 'openid write', code_challenge: challenge };
    const pushed = await post('/par', request, [FILES, MAIL]);
    const { location } = await apps.visit('/authorize', { client_id: 'planner', ...pushed.body });
    const { data } = await apps.submit(askedIn(location ?? new URL('about:blank')));
    expect(audienceOf((await redeem(data['authorization_code'])).body)).toEqual([FILES, MAIL]);
  });

  it('is the project’s own API if the request names none, or the address of the server', async () => {
    const { project_id } = apps.provider.services.project;
    for (const resources of [[], [ISSUER], [`${ISSUER}/`]]) {
      const { body } = await redeem(await allow(resources, 'openid email'));
      expect(audienceOf(body)).toBe(project_id);
      expect((await apps.userinfo(body['access_token'])).status).toBe(200);
    }
  });

  it.each(['https://FILES.example/mcp', 'https://files.example:443/mcp'])('is found however it is spelt: %s', async (resource) => {
    expect(audienceOf((await redeem(await allow([resource]), [FILES])).body)).toBe(FILES);
  }); // prettier-ignore

  it.each([
    'https://unknown.example/',
    'https://files.example/mcp/',
    'https://files.example/mcp#x',
    'https://files.example/mcp?x=1',
    'https://user@files.example/mcp',
    'http://files.example/mcp',
    'files',
    `${FILES} ${MAIL}`,
  ])('is refused with invalid_target at every endpoint: %s', async (resource) => {
    const there = await arrive([['resource', resource]]);
    expect([there.searchParams.get('error'), there.searchParams.get('iss')]).toEqual(['invalid_target', ISSUER]);
    const request = { redirect_uri: CALLBACK, response_type: 'code', code_challenge: challenge };
    expect(await post('/par', request, [resource])).toMatchObject(INVALID);
    const code = await allow([FILES]);
    expect(await redeem(code, [resource])).toMatchObject(INVALID);
    const { body } = await redeem(code);
    expect(await refresh(body['refresh_token'], [resource])).toMatchObject(INVALID);
    // A refused request has used nothing up.
    expect((await refresh(body['refresh_token'])).status).toBe(200);
  });

  it('is narrowed at the token endpoint and at a refresh, never widened', async () => {
    const { body: both } = await redeem(await allow([FILES, MAIL]));
    expect(audienceOf(both)).toEqual([FILES, MAIL]);
    const { body: files } = await refresh(both['refresh_token'], [FILES]);
    expect(audienceOf(files)).toBe(FILES);
    // What was granted stays granted, as the scopes do (RFC 6749, section 6).
    const { body: mail } = await refresh(files['refresh_token'], [MAIL]);
    expect(audienceOf(mail)).toBe(MAIL);
    const { body: one } = await redeem(await allow([FILES, MAIL]), [FILES]);
    expect(audienceOf(one)).toBe(FILES);
    for (const wider of [[MAIL, ISSUER], [ISSUER]]) {
      expect(await refresh(mail['refresh_token'], wider)).toMatchObject(INVALID);
    }
  });

  it('brings no scope that the API does not have', async () => {
    const { body } = await redeem(await allow([FILES, MAIL]));
    expect(body['scope']).toContain('write');
    const { body: mail } = await refresh(body['refresh_token'], [MAIL]);
    expect(mail['scope']).toBe('openid offline_access');
    expect((await arrive([['resource', MAIL]], 'write')).searchParams.get('error')).toBe('invalid_scope');
  });

  it('gets no token without a scope, and the code stays good for another API', async () => {
    const code = await allow([FILES, MAIL], 'write');
    expect(await redeem(code, [MAIL])).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect((await redeem(code, [FILES])).body['scope']).toBe('write');
    const device = (scope: string) => post('/device_authorization', { client_id: 'television', scope }, [MAIL]);
    expect(await device('write')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect((await device('purge')).status).toBe(200);
  });

  it('is asked of the user again for an API that is new to the app', async () => {
    const user = await apps.provider.signIn('careful@example.com');
    const scope = 'openid email';
    const ask = async (resources: readonly string[]) => (await apps.start(await asked(resources, scope), user)).data;
    const grant = async (resources: readonly string[]) => allow(resources, scope, user);
    expect(await ask([FILES])).toMatchObject({
      consent_required: true,
      resources: [{ resource: FILES, name: 'Files' }],
    });
    await grant([FILES]);
    expect((await ask([FILES]))['consent_required']).toBe(false);
    expect(await ask([FILES, MAIL])).toMatchObject({
      consent_required: true,
      resources: [{ name: 'Files' }, { resource: MAIL, name: 'mail.example' }],
    });
    // Access to an API is not access to the project's own.
    expect((await ask([]))['consent_required']).toBe(true);
    await grant([]);
    expect((await ask([]))['consent_required']).toBe(false);
    expect(await ask([])).not.toHaveProperty('resources');
  });

  it('is told to the API that asks about the token, and to no other client', async () => {
    const about = (token: string, id: string) => apps.form('/introspect', { token }, withSecret(id, SECRET));
    const { body: files } = await redeem(await allow([FILES]));
    expect((await about(files['access_token'], 'server')).body).toMatchObject({
      active: true,
      aud: FILES,
      client_id: 'planner',
    });
    expect((await about(files['access_token'], 'second')).body).toEqual({ active: false });
    const { body: mail } = await redeem(await allow([MAIL], 'openid'));
    expect((await about(mail['access_token'], 'server')).body).toEqual({ active: false });
    await apps.form('/revoke', { client_id: 'planner', token: files['refresh_token'] });
    expect((await about(files['access_token'], 'server')).body).toEqual({ active: false });
  });

  it('gets no more tokens after it left the project file', async () => {
    const { body } = await redeem(await allow([FILES]));
    const project = apps.provider.services.project as { resources: unknown };
    const before = project.resources;
    project.resources = [];
    expect(await refresh(body['refresh_token'])).toMatchObject(INVALID);
    project.resources = before;
    expect((await refresh(body['refresh_token'])).status).toBe(200);
  });
});

describe('the resources of a project file', () => {
  it.each([
    [{ resource: 'http://files.example' }, /resources\[0\]\.resource must be/u],
    [{ resource: 'https://files.example/#x' }, /resources\[0\]\.resource must be/u],
    [{ resource: FILES, scopes: ['unknown'] }, /resources\[0\]\.scopes\[0\] must be a scope/u],
    [{ resource: FILES, introspection_client_id: 'planner' }, /introspection_client_id must be a confidential client/u],
  ])('are checked: %j', (resource, message) => {
    expect(() => projectFrom({ ...SETTINGS, resources: [resource] })).toThrow(message);
  });

  it('are told apart however they are spelt', () => {
    const twice = [{ resource: MAIL }, { resource: `${MAIL}/` }];
    expect(() => projectFrom({ ...SETTINGS, resources: twice })).toThrow('resources[1].resource must be unique');
  });
});
