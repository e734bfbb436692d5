import type { BackendRoutes } from '../backend/mount-backend.ts';

export const idp: BackendRoutes['idp'] = {};
