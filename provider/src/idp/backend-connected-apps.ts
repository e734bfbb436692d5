import type { BackendRoutes } from '../backend/mount-backend.ts';

export const connectedApps: BackendRoutes['connectedApps'] = {};
