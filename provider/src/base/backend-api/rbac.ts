import type { RbacPolicy } from '#domain/project/rbac-policy.ts';
import { endpoint } from '#application/api/endpoint.ts';

export const rbac = {
  policy: endpoint<{ readonly policy: RbacPolicy }>()({
    name: 'rbac.policy',
    method: 'GET',
    path: '/rbac/policy',
    query: { project_id: 'string?' },
  }),
};
