import type { BackendRoutes } from '../backend/mount-backend.ts';

export const totps: BackendRoutes['totps'] = {};
