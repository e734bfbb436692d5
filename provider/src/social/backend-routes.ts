import type { BackendRoutes } from '../backend/mount-backend.ts';

export const oauth: BackendRoutes['oauth'] = {};
