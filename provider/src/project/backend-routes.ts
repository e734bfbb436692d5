import type { BackendRoutes } from '../backend/mount-backend.ts';

export const rbac: BackendRoutes['rbac'] = {};
