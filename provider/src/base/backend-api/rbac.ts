import type { RbacPolicy } from '#server-rules/roles.ts';
import { endpoint } from '#application/api/endpoint.ts';

export const rbac = {
  policy: endpoint<{ readonly policy: RbacPolicy }>()({
    name: 'rbac.policy',
    method: 'GET',
    path: '/rbac/policy',
    query: { project_id: 'string?' },
  }),
};
