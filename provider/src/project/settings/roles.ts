import { isEmailAddress } from '#server-rules/accounts.ts';
import { STANDARD_SCOPES } from '#server-rules/connected-apps.ts';
import type { Permission, RbacPolicy, Resource, Role, Scope } from '#domain/project/rbac-policy.ts';
import type { RoleAssignment } from '#server-rules/roles.ts';
import { CLIENT_ID as ID, SCOPE } from './app-fields.ts';
import { distinct, listOf, Mistakes, object, text, texts, textThat, type Reader } from '../readers/readers.ts';

const ACTION = textThat('a name of one word, or *', (value) => /^[!-~]{1,128}$/u.test(value));

const permission = object<Permission>({ resource_id: ID, actions: texts(ACTION) });
const permissions = listOf(permission);

const policy = object<RbacPolicy>(
  {
    roles: distinct(
      'role_id',
      (role) => role.role_id,
      listOf(object<Role>({ role_id: ID, description: text, permissions }, { description: '', permissions: [] })),
    ),
    resources: distinct(
      'resource_id',
      (resource) => resource.resource_id,
      listOf(object<Resource>({ resource_id: ID, description: text, actions: texts(ACTION) }, { description: '' })),
    ),
    scopes: distinct(
      'scope',
      (scope) => scope.scope,
      listOf(object<Scope>({ scope: SCOPE, description: text, permissions }, { permissions: [] })),
    ),
  },
  { roles: [], resources: [], scopes: [] },
);

/** Reads the policy, and checks that every permission names an existing resource and its actions. */
export const rbacPolicy: Reader<RbacPolicy> = (value, path) => {
  const read = policy(value, path);
  const actions = new Map(read.resources.map((resource) => [resource.resource_id, new Set(resource.actions)]));
  const mistakes = new Mistakes();
  for (const kind of ['roles', 'scopes'] as const) {
    read[kind].forEach((holder, h) =>
      holder.permissions.forEach((each, p) => {
        const at = `${path}.${kind}[${h}].permissions[${p}]`;
        const actionSet = actions.get(each.resource_id);
        if (actionSet === undefined) return mistakes.refuseIf(true, `${at}.resource_id`, `one of ${path}.resources`);
        each.actions.forEach((action, a) => {
          const isStrange = action !== '*' && !actionSet.has(action);
          mistakes.refuseIf(isStrange, `${at}.actions[${a}]`, `an action of ${each.resource_id}, or *`);
        });
      }),
    );
  }
  read.scopes.forEach(({ scope }, index) => {
    const isStandard = Object.hasOwn(STANDARD_SCOPES, scope);
    mistakes.refuseIf(isStandard, `${path}.scopes[${index}].scope`, `other than the standard scope ${scope}`);
  });
  mistakes.check();
  return read;
};

const assignments = listOf(
  object<RoleAssignment>(
    { user_id: text, email: textThat('an email address', isEmailAddress), roles: texts(ID) },
    { user_id: null, email: null },
  ),
);

export const roleAssignments: Reader<readonly RoleAssignment[]> = (value, path) => {
  const read = assignments(value, path);
  const mistakes = new Mistakes();
  read.forEach(({ user_id, email }, index) => {
    const isNotOne = (user_id === null) === (email === null);
    mistakes.refuseIf(isNotOne, `${path}[${index}]`, 'given an email or a user_id, not both');
  });
  mistakes.check();
  return read;
};
