import type { BackendRoutes } from '../backend/mount-backend.ts';

export const passwords: BackendRoutes['passwords'] = {};
