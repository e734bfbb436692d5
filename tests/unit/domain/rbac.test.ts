import { describe, expect, it } from 'vitest';
import { AccessPolicy, allPermissions } from '#domain/sessions/rbac.ts';

const POLICY = {
  roles: [
    { role_id: 'reader', permissions: [{ resource_id: 'docs', actions: ['read'] }] },
    {
      role_id: 'editor',
      permissions: [
        { resource_id: 'docs', actions: ['write'] },
        { resource_id: 'images', actions: ['*'] },
      ],
    },
  ],
  resources: [
    { resource_id: 'docs', actions: ['read', 'write', 'delete'] },
    { resource_id: 'images', actions: ['read', 'draw'] },
  ],
};

describe('an access policy', () => {
  const policy = new AccessPolicy(POLICY);

  it.each([
    [['reader'], 'docs', 'read', true],
    [['reader'], 'docs', 'write', false],
    [['editor'], 'docs', 'read', false],
    [['reader', 'editor'], 'docs', 'write', true],
    [['editor'], 'images', 'draw', true],
    [['editor'], 'images', 'anything', true],
    [['editor'], 'unknown', 'read', false],
    [['nobody'], 'docs', 'read', false],
    [[], 'docs', 'read', false],
    [['__proto__'], 'docs', 'read', false],
    [['reader'], 'constructor', 'name', false],
    [['reader'], 'docs', '*', false],
  ])('%j may on %s %s: %s', (roles, resource, action, allowed) => {
    expect(policy.isAuthorized(roles, resource, action)).toBe(allowed);
  });

  it('lists every action of every resource', () => {
    expect(allPermissions(POLICY, policy, ['editor'])).toEqual({
      docs: { read: false, write: true, delete: false },
      images: { read: true, draw: true },
    });
  });

  it.each([
    null,
    undefined,
    7,
    [],
    {},
    { roles: null, resources: 'x' },
    {
      roles: [null, 7, { role_id: 7 }, { role_id: 'reader', permissions: [{ resource_id: 'docs', actions: 'read' }] }],
    },
    { roles: [{ role_id: 'reader' }], resources: [{ resource_id: 'docs', actions: [7, null] }] },
  ])('that is damaged grants nothing: %j', (damaged) => {
    const empty = new AccessPolicy(damaged);
    expect(empty.isAuthorized(['reader'], 'docs', 'read')).toBe(false);
    expect(Object.values(allPermissions(damaged, empty, ['reader'])).flatMap(Object.values)).not.toContain(true);
  });

  it('joins the permissions of a role that is listed twice', () => {
    const twice = new AccessPolicy({
      roles: [
        { role_id: 'a', permissions: [{ resource_id: 'docs', actions: ['read'] }] },
        { role_id: 'a', permissions: [{ resource_id: 'docs', actions: ['write'] }] },
      ],
    });
    expect(twice.isAuthorized(['a'], 'docs', 'read') && twice.isAuthorized(['a'], 'docs', 'write')).toBe(true);
  });
});
