import type { BackendRoutes } from '../backend/mount-backend.ts';

export const m2m: BackendRoutes['m2m'] = {};
