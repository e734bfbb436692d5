import type { BackendRoutes } from '../backend/mount-backend.ts';

export const rbac: BackendRoutes['rbac'] = {
  policy: ({ project }) => Promise.resolve({ policy: project.rbac_policy }),
};
