import type { BackendRoutes } from '../backend/mount-backend.ts';

export const otps: BackendRoutes['otps'] = {};
