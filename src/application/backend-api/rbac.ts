import type { RbacPolicy } from '../../domain/rules/roles.ts';
import { endpoint } from '../api/endpoint.ts';

export const rbac = {
  policy: endpoint<{ readonly policy: RbacPolicy }>()({ name: 'rbac.policy', method: 'GET', path: '/rbac/policy' }),
};
