import type { BackendRoutes } from '../backend/mount-backend.ts';

export const impersonation: BackendRoutes['impersonation'] = {};
