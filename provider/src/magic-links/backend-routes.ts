import type { BackendRoutes } from '../backend/mount-backend.ts';

export const magicLinks: BackendRoutes['magicLinks'] = {};
