import type { BackendRoutes } from '../backend/mount-backend.ts';

export const webauthn: BackendRoutes['webauthn'] = {};
